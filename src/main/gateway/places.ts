import type { GatewayStore, StoredInbox, StoredPlace } from '../db/connections/gateway-tables.ts'
import { parseJson } from '../lib/expected-errors.ts'
import type { Incoming, Place } from './platform.ts'

/** The stored data of a place besides its chat. */
type PlaceValue = {
  place: Place
  /** The text to start its next answer with: why the last chat ended. */
  tell?: string
  /** Set if its chat was ended, so that the next message starts another. */
  ended?: true
}
/** A place as the gateway works with it. */
export type KnownPlace = Omit<StoredPlace, 'value'> & PlaceValue

/** Read a stored place. */
export function readPlace({ value, ...row }: StoredPlace): KnownPlace {
  const stored = parseJson(value)
  const { placeKey: key } = row
  // An unreadable place counts as no contact's private place until somebody writes there again.
  const lost: PlaceValue = { place: { key, kind: 'group', title: '', chatId: key } }
  return { ...row, ...(isPlaceValue(stored) ? stored : lost) }
}

const isPlaceValue = (value: unknown): value is PlaceValue =>
  typeof value === 'object' && value !== null && 'place' in value && typeof value.place === 'object'

/** Return whether the user of this computer writes in a private place. */
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

/** Remember a place in which a contact wrote, and return what is known about it. */
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
    // Never continue the chat of another contact.
    ...(before && before.contactId !== contactId && place.kind === 'private' && { sessionId: null }),
    contactId,
    place,
  }
  savePlace(store, known)
  return known
}

/** Return a contact's private place, on one messenger or, without a name, where it last wrote. */
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

/** Return a place with a new chat id. */
export function moveTo(place: Place, to: string): Place {
  const key = place.key.split(':')
  return { ...place, chatId: to, key: key.map(part => (part === place.chatId ? to : part)).join(':') }
}

/**
 * A received message as a row. `messageId`: the chat message made from it. `offered`: its text for a running
 * turn.
 */
export type InboxRow = Omit<StoredInbox, 'body'> & { body: Incoming & { offered?: string } }

/** Read a stored received message. */
export const readInboxRow = (row: StoredInbox): InboxRow => ({
  ...row,
  body: JSON.parse(row.body) as InboxRow['body'],
})
