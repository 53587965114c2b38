import type { HostClient } from '../../../shared/contract/index.ts'
import type {
  ActivityItem,
  LearnedChange,
  LearningRule,
  LearningSettings,
  Proposal,
  Review,
} from '../../../shared/contract/learned/learning.ts'

export type Tab = 'cards' | 'timeline' | 'controls' | 'batches'
export type Filter = 'all' | 'memory' | 'skills' | 'undone' | 'quiet'

/** The selection that one undo covers. */
export type UndoWhat = Parameters<HostClient['learning.undo']>[0]['what']
export type UndoSelection = Exclude<UndoWhat, { by: 'items' }>

/** A proposal being edited, as it was `seen` then. */
export type Edit = { text: string; seen: string; saving: boolean; problem: string | null }

/** The host's data for the page. */
export type View = {
  waiting: readonly Proposal[]
  /** Finished items, newest first. */
  items: readonly ActivityItem[]
  more: boolean
  /** Queued and running reviews. */
  reviews: readonly Review[]
  settings: LearningSettings
  /** Why queued reviews do not start. */
  held: string | null
}

export type ActivityState = {
  tab: Tab
  filter: Filter
  /** How many cards and lines to show, at least. */
  wanted: number
  selected: ReadonlySet<string>
  /** Cards toggled from their default: waiting cards start open, the others closed. */
  turned: ReadonlySet<string>
  edits: Readonly<Record<string, Edit>>
  /** Rules added by the last rejection. */
  written: readonly LearningRule[]
  /** What the last undo could not revert, as text for the user. */
  left: readonly string[]
}

/** Cards per request. */
export const PAGE = 50

export const initialActivity: ActivityState = {
  tab: 'cards',
  filter: 'all',
  wanted: PAGE,
  selected: new Set(),
  turned: new Set(),
  edits: {},
  written: [],
  left: [],
}

/** The unique key of a card or line. */
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

/** Concatenate pages. A duplicate keeps its first position. */
export function joinItems(known: readonly ActivityItem[], more: readonly ActivityItem[]): ActivityItem[] {
  const keys = new Set(known.map(keyOf))
  return [...known, ...more.filter(item => !keys.has(keyOf(item)))]
}

/** Waiting proposals that match a filter. Undone changes and empty reviews never wait. */
export function waitingIn(filter: Filter, waiting: readonly Proposal[]): readonly Proposal[] {
  if (filter === 'all') return waiting
  return waiting.filter(
    ({ kind }) => kind === { memory: 'memory', skills: 'skill', undone: '', quiet: '' }[filter],
  )
}

const DAY = 86_400_000

/** Local midnight at the start of the day that contains `at`. */
export const dayOf = (at: number) => new Date(at).setHours(0, 0, 0, 0)

/** Local midnight on the Monday of the week that contains `at`. */
function weekOf(at: number): number {
  const day = new Date(dayOf(at))
  day.setDate(day.getDate() - ((day.getDay() + 6) % 7))
  return day.getTime()
}

/** The end of a week. Adds half a day before rounding, because daylight saving changes a week's length. */
export const weekEnd = (from: number) => dayOf(from + 7 * DAY + DAY / 2)

export type Group = 'today' | 'week' | 'older'

/** Finished items by group, without empty groups. */
export function groupItems(items: readonly ActivityItem[], now: number): [Group, ActivityItem[]][] {
  const [today, week] = [dayOf(now), weekOf(now)]
  const groups: Record<Group, ActivityItem[]> = { today: [], week: [], older: [] }
  for (const item of items) groups[item.at >= today ? 'today' : item.at >= week ? 'week' : 'older'].push(item)
  return (Object.entries(groups) as [Group, ActivityItem[]][]).filter(([, items]) => items.length > 0)
}

/** The state of a change. Its parts can be undone one by one on the Memory and Skills pages. */
export function stateOf({ memory, skills }: LearnedChange): 'saved' | 'part' | 'undone' {
  const parts = [...memory, ...skills]
  const undone = parts.filter(each => each.undoneBy !== null).length
  return undone === 0 ? 'saved' : undone === parts.length ? 'undone' : 'part'
}

/** Whether any part can still be undone. */
export function isUndoable(item: ActivityItem): boolean {
  if (item.type === 'proposal') return item.proposal.state === 'kept'
  return item.type === 'change' && stateOf(item.change) !== 'undone'
}

/** Whether an item belongs to the selection to undo. */
export function isMeant(item: ActivityItem, what: UndoSelection): boolean {
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

/** Whether the text of a proposal can be edited. */
export const isEditable = ({ after, op }: Proposal) => after !== null && op !== 'remove' && op !== 'delete'
