import type { Session } from '../../../shared/contract/session.ts'
import { foldRuns, type ListEntry } from './ScheduleGroup.tsx'

type GroupId = 'pinned' | 'today' | 'yesterday' | 'week' | 'older'

type Group = { id: GroupId; entries: readonly ListEntry[] }

const order: readonly GroupId[] = ['pinned', 'today', 'yesterday', 'week', 'older']

/**
 * Chats by the day of their last message, newest first, those of a schedule at the place of its newest one. Pinned chats lead;
 * empty groups are omitted.
 */
export function groupSessions(sessions: readonly Session[], now: Date): Group[] {
  const startOf = (daysAgo: number) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo).getTime()
  const groupOf = (entry: ListEntry): GroupId => {
    const { pinned, updatedAt } = 'chats' in entry ? entry.chats[0]! : entry
    if (pinned) return 'pinned'
    if (updatedAt >= startOf(0)) return 'today'
    if (updatedAt >= startOf(1)) return 'yesterday'
    return updatedAt >= startOf(7) ? 'week' : 'older'
  }
  const newestFirst = sessions.filter(isListed).toSorted((a, b) => b.updatedAt - a.updatedAt)
  const groups = Map.groupBy(foldRuns(newestFirst), groupOf)
  return order.flatMap(id => (groups.has(id) ? [{ id, entries: groups.get(id)! }] : []))
}

/** Hide archived chats, and empty ones, unless they have a draft, are running or are pinned. */
export const isListed = (session: Session) =>
  !session.archived &&
  (session.messageCount > 0 || session.draft !== '' || session.activeRunId !== null || session.pinned)
