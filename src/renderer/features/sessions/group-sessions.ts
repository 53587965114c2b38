import type { Session } from '../../../shared/contract/session.ts'

type GroupId = 'pinned' | 'today' | 'yesterday' | 'week' | 'older'
export type Group = { id: GroupId; sessions: readonly Session[] }

const order: readonly GroupId[] = ['pinned', 'today', 'yesterday', 'week', 'older']

/** Chats by the day of their last message, newest first. Pinned chats lead; empty groups are omitted. */
export function groupSessions(sessions: readonly Session[], now: Date): Group[] {
  const startOf = (daysAgo: number) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo).getTime()
  const groupOf = ({ pinned, updatedAt }: Session): GroupId => {
    if (pinned) return 'pinned'
    if (updatedAt >= startOf(0)) return 'today'
    if (updatedAt >= startOf(1)) return 'yesterday'
    return updatedAt >= startOf(7) ? 'week' : 'older'
  }
  const newestFirst = sessions.filter(isListed).toSorted((a, b) => b.updatedAt - a.updatedAt)
  const groups = Map.groupBy(newestFirst, groupOf)
  return order.flatMap(id => (groups.has(id) ? [{ id, sessions: groups.get(id)! }] : []))
}

/** Hide empty chats, unless they have a draft, are running or are pinned. */
const isListed = (session: Session) =>
  session.messageCount > 0 || session.draft !== '' || session.activeRunId !== null || session.pinned
