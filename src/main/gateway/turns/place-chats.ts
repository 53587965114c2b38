import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { ApprovalMode, Session } from '../../../shared/contract/chats/session.ts'
import { ORIGIN_RULES } from '../../../shared/origin-rules.ts'
import type { Store } from '../../db/store.ts'
import type { KnownContact } from '../gateway-parts.ts'
import { readPlace, savePlace, type KnownPlace } from '../places.ts'

type Parts = {
  home: string
  store: Pick<Store, 'gateway' | 'sessions'>
  defaultModel(): string
  usualMode(): ApprovalMode
  isRunning(sessionId: string): boolean
  /** Called after a chat has ended, so that it can be reviewed. */
  chatEnded(sessionId: string): void
  zone(): string
  now(): number
}

const HOUR_MS = 60 * 60_000
/** How long a chat may be idle before it ends, in ms. */
const IDLE_MS = 24 * HOUR_MS
/** The hour at which a messenger's day starts. */
const DAY_BEGINS = 4

const tellKept = (origin: Session['origin']): string =>
  ORIGIN_RULES[origin].learns === 'nothing'
    ? 'The last one is kept in Talaria.'
    : 'The last one is kept in Talaria, and what lasts of it may be remembered.'
/** Return the text that tells the people in a chat what happens to it after its end. */
export const keptOf = ({ place }: Pick<KnownPlace, 'place'>, { relation }: KnownContact): string =>
  tellKept(relation === 'you' && place.kind === 'private' ? 'messenger' : 'messenger_other')

/** The chats that answer in places: started, continued and ended. */
export type PlaceChats = ReturnType<typeof createPlaceChats>

/** Create the chats of places. */
export function createPlaceChats(parts: Parts) {
  const { store, now } = parts

  /** Return the day of an instant, counting days from four o'clock. */
  const dayOf = (at: number): string =>
    new Intl.DateTimeFormat('en-CA', { timeZone: parts.zone(), dateStyle: 'short' }).format(
      at - DAY_BEGINS * HOUR_MS,
    )

  /** Return why the chat of a place is over; undefined if it continues. */
  function whyOver({ lastAt }: KnownPlace): string | undefined {
    if (now() - lastAt >= IDLE_MS) return 'nothing was written for a day'
    return dayOf(lastAt) === dayOf(now()) ? undefined : 'a new day began at 4:00'
  }

  /** Return the folder of a place: the contact's, or an empty one of its own. */
  function folderOf(contact: KnownContact, place: KnownPlace): string {
    // Not in a group, where others would read from it, whoever started the chat.
    if (contact.folder !== null && place.place.kind === 'private') return contact.folder
    const name = createHash('sha256')
      .update(`${place.platform}\n${place.placeKey}`)
      .digest('hex')
      .slice(0, 12)
    const folder = join(parts.home, 'messenger', `${place.platform}-${name}`)
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    return realpathSync(folder)
  }

  const ownChat = (place: KnownPlace): Session | undefined =>
    place.sessionId === null || place.ended ? undefined : store.sessions.get(place.sessionId)

  function end(place: KnownPlace, tell: string) {
    const { sessionId } = place
    if (sessionId === null || place.ended) return
    savePlace(store.gateway, { ...place, ended: true, tell })
    parts.chatEnded(sessionId)
  }

  return {
    ownChat,
    /** Return the chat for a contact's message in a place: the current one, or a new one. */
    chatFor(place: KnownPlace, contact: KnownContact): { session: Session; tell: string } {
      const current = ownChat(place)
      // Its own folder may be gone, for example in a restored home.
      if (current && existsSync(current.workspace)) return { session: current, tell: '' }
      const isOwn = contact.relation === 'you' && place.place.kind === 'private'
      const session = store.sessions.create({
        modelId: contact.modelId ?? parts.defaultModel(),
        workspace: folderOf(contact, place),
        approval: parts.usualMode(),
        origin: isOwn ? 'messenger' : 'messenger_other',
        // Gives the chat access to memory, if the user allowed that. Not in a group, where others read.
        originId: place.place.kind === 'private' ? contact.id : '',
      })
      const { tell = '', ended: _ended, ...rest } = place
      savePlace(store.gateway, { ...rest, sessionId: session.id, lastAt: now() })
      return { session, tell }
    },
    /** End the chat on request. False if there was none. */
    endNow(place: KnownPlace): boolean {
      const had = ownChat(place) !== undefined
      end(place, '')
      return had
    },
    /** End the chats that are over. */
    endOld() {
      for (const row of store.gateway.places()) {
        const place = readPlace(row)
        const why = whyOver(place)
        const session = why === undefined ? undefined : ownChat(place)
        if (!session || parts.isRunning(session.id)) continue
        end(
          place,
          session.messageCount === 0 ? '' : `_This is a new chat: ${why}. ${tellKept(session.origin)}_`,
        )
      }
    },
    /** End a contact's chats after its read rights changed, because they contain what was read before. */
    endOf(contactId: string) {
      for (const place of store.gateway.places().map(readPlace))
        if (place.contactId === contactId)
          end(place, '_This is a new chat: what I may read here was changed at the computer._')
    },
  }
}
