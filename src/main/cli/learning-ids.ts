import type { HostClient } from '../../shared/contract/index.ts'
import type { ActivityItem } from '../../shared/contract/learning.ts'
import type { Session } from '../../shared/contract/session.ts'
import { Fault } from '../../shared/rpc.ts'
import { escapeInvisible } from './terminal-text.ts'

type Filter = NonNullable<Parameters<HostClient['learning.activity']>[0]['filter']>

/** Page size of a read. */
const PAGE = 200
const SHORT = 6

/** The end of an id, enough to tell items apart. The changes of one turn are identified by chat and message. */
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
      `Several end with ${escapeInvisible(given)}: ${found.map(({ id }) => id).join(', ')}.`,
    )
  if (!found[0]) throw new Fault('not_found', `There is no ${what} ${escapeInvisible(given)}.`)
  return found[0]
}

/** Everything that was learned, newest first. */
export async function* everyItem(client: HostClient, filter: Filter): AsyncGenerator<ActivityItem> {
  for (let before: number | undefined; ;) {
    const { items, more } = await client['learning.activity']({
      filter,
      limit: PAGE,
      ...(before !== undefined && { before }),
    })
    yield* items
    before = items.at(-1)?.at
    if (!more || before === undefined) return
  }
}

/** Find a chat by its id or the end of it. */
export async function chatNamed(client: HostClient, given: string): Promise<Session> {
  const all: Session[] = []
  for (;;) {
    const { sessions, more } = await client['session.list']({ limit: PAGE, offset: all.length })
    all.push(...sessions)
    const exact = sessions.find(({ id }) => id === given)
    if (exact) return exact
    if (!more) return findById(all, given, 'chat')
  }
}
