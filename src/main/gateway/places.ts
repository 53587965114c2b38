import type { GatewayStore, StoredInbox, StoredPlace } from '../db/connections/gateway-tables.ts'
import { parseJson } from '../lib/expected-errors.ts'
import type { Incoming, Place } from './platform.ts'

/** What is stored of a place beside its chat. */
type PlaceValue = {
  place: Place
  /** What its next answer begins with: why the last chat ended. */
  tell?: string
  /** Its chat was ended, and the next message begins another. */
  ended?: true
}
/** A place as the gateway works with it. */
export type KnownPlace = Omit<StoredPlace, 'value'> & PlaceValue

/** Read what is stored of a place. */
export function readPlace({ value, ...row }: StoredPlace): KnownPlace {
  const stored = parseJson(value)
  const { placeKey: key } = row
  // One that cannot be read is nobody’s private place, until somebody writes there again.
  const lost: PlaceValue = { place: { key, kind: 'group', title: '', chatId: key } }
  return { ...row, ...(isPlaceValue(stored) ? stored : lost) }
}

const isPlaceValue = (value: unknown): value is PlaceValue =>
  typeof value === 'object' && value !== null && 'place' in value && typeof value.place === 'object'

/** Whether the user of this computer speaks, where nobody else reads. */
export const isUserAlone = (speaker: {
  contact: { relation: 'you' | 'other' }
  place: Pick<Place, 'kind'>
}): boolean => speaker.contact.relation === 'you' && speaker.place.kind === 'private'

/** Store a place with its chat. */
export function savePlace(
  store: Pick<GatewayStore, 'putPlace'>,
  { place, tell, ended, ...row }: KnownPlace,
): void {
  const value: PlaceValue = { place, ...(tell !== undefined && { tell }), ...(ended && { ended }) }
  store.putPlace({ ...row, value: JSON.stringify(value) })
}

/** Remember a place in which a contact spoke, and give what is known of it. */
export function rememberPlace(
  store: Pick<GatewayStore, 'place' | 'putPlace'>,
  { platform, place, contactId, at }: { platform: string; place: Place; contactId: string; at: number },
): KnownPlace {
  const row = store.place(platform, place.key)
  const before = row && readPlace(row)
  const known: KnownPlace = {
    platform,
    placeKey: place.key,
    sessionId: null,
    lastAt: at,
    ...before,
    // The chat of another contact is not continued.
    ...(before && before.contactId !== contactId && place.kind === 'private' && { sessionId: null }),
    contactId,
    place,
  }
  savePlace(store, known)
  return known
}

/** The place in which a contact is alone with the agent, on one messenger or, without a name, where it wrote last. */
export function privatePlaceOf(
  store: Pick<GatewayStore, 'places'>,
  contactId: string,
  platform?: string,
): KnownPlace | undefined {
  return store
    .places()
    .filter(each => each.contactId === contactId && (platform === undefined || each.platform === platform))
    .map(readPlace)
    .find(({ place }) => place.kind === 'private')
}

/** A place whose chat got another id on its messenger. */
export function moveTo(place: Place, to: string): Place {
  const key = place.key.split(':')
  return { ...place, chatId: to, key: key.map(part => (part === place.chatId ? to : part)).join(':') }
}

/** What arrived, as a row. `messageId`: the message of the chat that was made of it; `offered`: the text that a running turn was offered. */
export type InboxRow = Omit<StoredInbox, 'body'> & { body: Incoming & { offered?: string } }

/** Read what is stored of something that arrived. */
export const readInboxRow = (row: StoredInbox): InboxRow => ({
  ...row,
  body: JSON.parse(row.body) as InboxRow['body'],
})
