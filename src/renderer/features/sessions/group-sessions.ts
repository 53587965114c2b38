import type { Session } from '../../../shared/contract/chats/session.ts'
import { foldRuns, type ListEntry } from './ScheduleGroup.tsx'

type GroupId = 'pinned' | 'today' | 'yesterday' | 'week' | 'older'

type Group = { id: GroupId; entries: readonly ListEntry[] }

const order: readonly GroupId[] = ['pinned', 'today', 'yesterday', 'week', 'older']

/**
 * Group chats by the day of their last message, newest first. The chats of a schedule are at the position of
 * its newest one. Pinned chats come first; empty groups are omitted.
 *
 * @internal Tested by itself.
 */
export function groupSessions(
  sessions: readonly Session[],
  now: Date,
  openId: string | null = null,
): Group[] {
  const startOf = (daysAgo: number) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo).getTime()
  const groupOf = (entry: ListEntry): GroupId => {
    const { pinned, updatedAt } = 'chats' in entry ? entry.chats[0]! : entry
    if (pinned) return 'pinned'
    if (updatedAt >= startOf(0)) return 'today'
    if (updatedAt >= startOf(1)) return 'yesterday'
    return updatedAt >= startOf(7) ? 'week' : 'older'
  }
  const newestFirst = sessions
    .filter(each => isListed(each, openId))
    .toSorted((a, b) => b.updatedAt - a.updatedAt)
  const groups = Map.groupBy(foldRuns(newestFirst), groupOf)
  return order.flatMap(id => (groups.has(id) ? [{ id, entries: groups.get(id)! }] : []))
}

/** The content of the list of chats: chats by day and project, and sub-agents below their chat. */
export type ListedChats = {
  groups: Group[]
  byProject: ReadonlyMap<string, readonly Session[]>
  /** The ids of the sub-agents that are listed below the chat that they work for. */
  below: ReadonlySet<string>
}

/**
 * Arranges the chats for the list. `projects`: the ids of the known ones. `openId`: the open chat, which is
 * listed even if it belongs to a finished sub-agent.
 */
export function arrangeChats(
  sessions: readonly Session[],
  { projects, now, openId }: { projects: ReadonlySet<string>; now: Date; openId: string | null },
): ListedChats {
  const listed = sessions.filter(each => isListed(each, openId))
  const ids = new Set(listed.map(({ id }) => id))
  const isBelow = ({ origin, parentId }: Session) =>
    origin === 'sub_agent' && parentId !== null && ids.has(parentId)
  const agents = Map.groupBy(listed.filter(isBelow), each => each.parentId!)
  const withAgents = <Entry extends ListEntry>(entries: readonly Entry[]): (Entry | Session)[] =>
    entries.flatMap(entry => [entry, ...('id' in entry ? oldestFirst(agents.get(entry.id) ?? []) : [])])
  const own = listed.filter(each => !isBelow(each))
  const isIn = ({ projectId }: Session) => projectId !== null && projects.has(projectId)
  const groups = groupSessions(
    own.filter(each => !isIn(each)),
    now,
    openId,
  )
  const byProject = Map.groupBy(own.filter(isIn).toSorted(pinnedFirst), each => each.projectId!)
  return {
    groups: groups.map(({ id, entries }) => ({ id, entries: withAgents(entries) })),
    byProject: new Map([...byProject].map(([id, chats]) => [id, withAgents(chats)])),
    below: new Set([...agents.values()].flat().map(({ id }) => id)),
  }
}

const oldestFirst = (chats: readonly Session[]) => chats.toSorted((a, b) => a.createdAt - b.createdAt)

const pinnedFirst = (a: Session, b: Session) =>
  Number(b.pinned) - Number(a.pinned) || b.updatedAt - a.updatedAt

/**
 * Hide archived chats, and empty ones, unless they have a draft, are running or are pinned. A sub-agent is listed while it works
 * or asks; afterwards its card in the chat that it worked for leads to it, and searches find it.
 */
function isListed(session: Session, openId: string | null): boolean {
  const { id, archived, origin, messageCount, draft, activeRunId, waiting, pinned } = session
  if (archived) return false
  if (draft !== '' || activeRunId !== null || waiting || pinned) return true
  return messageCount > 0 && (origin !== 'sub_agent' || id === openId)
}
