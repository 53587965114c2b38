import type { HostClient } from '../../shared/contract/index.ts'
import type { Session } from '../../shared/contract/chats/session.ts'
import { Fault } from '../../shared/rpc.ts'
import { escapeInvisible, momentOf } from './output/terminal-text.ts'

/** How many chats to read at a time. */
const PAGE = 200
/** How many characters of an id are shown, and the minimum that names a deleted chat. */
const SHORT = 6

/**
 * Shorten an id to its end, which is enough to distinguish items. The changes of a turn have the id
 * `chat:message`.
 */
export function shortId(id: string): string {
  const [chat = '', message] = id.split(':')
  return message === undefined ? id.slice(-SHORT) : `${chat.slice(-SHORT)}:${message}`
}

/** Find an item by its id or the end of it; `what` names the kind of item in errors, such as “proposal”. */
export function findById<T extends { id: string }>(all: readonly T[], given: string, what: string): T {
  const exact = all.find(({ id }) => id === given)
  if (exact) return exact
  const found = given === '' ? [] : all.filter(({ id }) => id.endsWith(given))
  if (found.length > 1)
    throw new Fault(
      'bad_input',
      `Several ids end with ${escapeInvisible(given)}: ${found.map(({ id }) => id).join(', ')}.`,
    )
  if (!found[0]) throw new Fault('not_found', `Found no ${what} ${escapeInvisible(given)}.`)
  return found[0]
}

/**
 * Find a chat by its id or the end of its id. For a deleted chat, throws a `not_found` Fault that says how to
 * restore it.
 */
export async function chatNamed(client: HostClient, given: string): Promise<Session> {
  const all: Session[] = []
  for (;;) {
    const { sessions, more } = await client['session.list']({ limit: PAGE, offset: all.length })
    all.push(...sessions)
    const exact = sessions.find(({ id }) => id === given)
    if (exact) return exact
    if (!more) break
  }
  const { chats } = await client['session.deleted']({})
  const deleted = chats.find(({ id }) => id === given || (given.length >= SHORT && id.endsWith(given)))
  if (deleted && !all.some(({ id }) => id.endsWith(given)))
    throw new Fault(
      'not_found',
      `This chat was deleted ${momentOf(deleted.deletedAt)}. Bring it back with: talaria chats restore ${deleted.id}`,
    )
  return findById(all, given, 'chat')
}
