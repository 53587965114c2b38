import type { HostClient } from '../../../shared/contract/index.ts'
import type {
  ActivityItem,
  LearnedChange,
  LearningRule,
  LearningSettings,
  Proposal,
  Review,
} from '../../../shared/contract/learning.ts'

export type Tab = 'cards' | 'timeline' | 'controls'
export type Filter = 'all' | 'memory' | 'skills' | 'undone' | 'quiet'

/** What is taken back at once. */
export type UndoWhat = Parameters<HostClient['learning.undo']>[0]['what']
export type UndoMany = Exclude<UndoWhat, { by: 'items' }>

/** A proposal being put into other words. */
export type Edit = { text: string; saving: boolean; problem: string | null }

/** What the host has told of it. */
export type View = {
  waiting: readonly Proposal[]
  /** What is over, the newest first. */
  items: readonly ActivityItem[]
  more: boolean
  /** Reviews that wait or run. */
  reviews: readonly Review[]
  settings: LearningSettings
  /** Why no review runs although some wait. */
  held: string | null
}

export type ActivityState = {
  /** Null before the first answer. */
  view: View | null
  /** Goes up with every answer, so that what is asked for apart is asked for again. */
  loads: number
  problem: string | null
  tab: Tab
  filter: Filter
  selected: ReadonlySet<string>
  /** Cards that stand otherwise than they would by themselves: those that wait are open, the others closed. */
  turned: ReadonlySet<string>
  edits: Readonly<Record<string, Edit>>
  /** Rules that were written by the last rejection. */
  written: readonly LearningRule[]
  /** What the last undo could not take back, in sentences. */
  left: readonly string[]
}

export const initialActivity: ActivityState = {
  view: null,
  loads: 0,
  problem: null,
  tab: 'cards',
  filter: 'all',
  selected: new Set(),
  turned: new Set(),
  edits: {},
  written: [],
  left: [],
}

/** What names a card or a line among all. */
export function keyOf(item: ActivityItem): string {
  switch (item.type) {
    case 'proposal':
      return item.proposal.id
    case 'change':
      return item.change.id
    case 'review':
      return item.review.id
  }
}

/** Pages of a list put together: what comes twice stands once, where it stood first. */
export function joinItems(known: readonly ActivityItem[], more: readonly ActivityItem[]): ActivityItem[] {
  const keys = new Set(known.map(keyOf))
  return [...known, ...more.filter(item => !keys.has(keyOf(item)))]
}

/** What waits and fits a filter; what was undone, and reviews that came to nothing, wait for nobody. */
export function waitingIn(filter: Filter, waiting: readonly Proposal[]): readonly Proposal[] {
  if (filter === 'all') return waiting
  return waiting.filter(
    ({ kind }) => kind === { memory: 'memory', skills: 'skill', undone: '', quiet: '' }[filter],
  )
}

const DAY = 86_400_000

/** The midnight before a moment. */
export const dayOf = (at: number) => new Date(at).setHours(0, 0, 0, 0)

/** The midnight before the Monday of a moment's week. */
export function weekOf(at: number): number {
  const day = new Date(dayOf(at))
  day.setDate(day.getDate() - ((day.getDay() + 6) % 7))
  return day.getTime()
}

/** The midnight after the Sunday of a week; not every week has as many hours. */
export const weekEnd = (from: number) => dayOf(from + 7 * DAY + DAY / 2)

export type Group = 'today' | 'week' | 'older'

/** What is over, in the groups that have something. */
export function groupItems(items: readonly ActivityItem[], now: number): [Group, ActivityItem[]][] {
  const [today, week] = [dayOf(now), weekOf(now)]
  const groups: Record<Group, ActivityItem[]> = { today: [], week: [], older: [] }
  for (const item of items) groups[item.at >= today ? 'today' : item.at >= week ? 'week' : 'older'].push(item)
  return (Object.entries(groups) as [Group, ActivityItem[]][]).filter(([, items]) => items.length > 0)
}

/** How a change stands: each of its parts can be taken back for itself, on the Memory and Skills pages. */
export function stateOf({ memory, skills }: LearnedChange): 'saved' | 'part' | 'undone' {
  const parts = [...memory, ...skills]
  const undone = parts.filter(each => each.undoneBy !== null).length
  return undone === 0 ? 'saved' : undone === parts.length ? 'undone' : 'part'
}

/** Whether there is something to take back of it. */
export function isUndoable(item: ActivityItem): boolean {
  if (item.type === 'proposal') return item.proposal.state === 'kept'
  return item.type === 'change' && stateOf(item.change) !== 'undone'
}

/** Whether it is among what is to be taken back. */
export function isMeant(item: ActivityItem, what: UndoMany): boolean {
  if (item.type === 'review') return false
  const { reviewId, sessionId } = item.type === 'proposal' ? item.proposal : item.change
  switch (what.by) {
    case 'review':
      return reviewId === what.id
    case 'chat':
      return sessionId === what.id
    case 'since':
      return item.at >= what.at
  }
}

/** A proposal whose text can be put into other words. */
export const isEditable = ({ after, op }: Proposal) => after !== null && op !== 'remove' && op !== 'delete'
