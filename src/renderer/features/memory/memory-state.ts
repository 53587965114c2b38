import type { MemoryActor, MemoryEntry, MemoryTarget, MemoryView } from '../../../shared/contract/memory.ts'

export type Tab = MemoryTarget | 'archive' | 'history'

/** Where an entry stands: about the person, or in the notes of everywhere or of one folder. */
export type Place = { target: MemoryTarget; project: string | null }

export type Filters = {
  query: string
  /** The id of a project, or a choice of several. */
  scope: string
  origin: MemoryActor | 'all'
  age: 'all' | 'week' | 'month' | 'older'
  locked: 'all' | 'locked' | 'open'
}

/** An entry that is being written anew; `before` is the text that the writing began with. */
export type Edit = {
  entry: MemoryEntry
  before: string
  text: string
  saving: boolean
  problem: string | null
}

export type MemoryState = {
  /** Null until the host has answered. */
  view: MemoryView | null
  /** When the host answered; ages are counted from here. */
  loadedAt: number
  problem: string | null
  tab: Tab
  filters: Filters
  edits: Readonly<Record<string, Edit>>
  selected: ReadonlySet<string>
  /** What stands in the fields for something new, until it is saved. */
  drafts: Readonly<Record<MemoryTarget, string>>
}

export const noFilters: Filters = { query: '', scope: 'all', origin: 'all', age: 'all', locked: 'all' }

export const initialMemory: MemoryState = {
  view: null,
  loadedAt: 0,
  problem: null,
  tab: 'user',
  filters: noFilters,
  edits: {},
  selected: new Set(),
  drafts: { user: '', memory: '' },
}

const DAY_MS = 86_400_000

/** From this share on, a file counts as nearly full, and the page says what would go first. */
export const NEARLY_FULL = 0.85

/** From this share on, the page helps to make room. */
export const WANTS_ROOM = 0.9

/** Texts longer than this, or with several lines, are edited in a larger field. */
export const isLong = (text: string): boolean => text.length > 300 || text.includes('\n')

export const isIn = (entry: Place, place: Place): boolean =>
  entry.target === place.target && entry.project === place.project

/** Take over what the host says; what is selected and gone is not selected any more. */
export function withView(state: MemoryState, view: MemoryView, loadedAt: number): MemoryState {
  const ids = new Set(view.entries.map(entry => entry.id))
  const selected = new Set([...state.selected].filter(id => ids.has(id)))
  const known = view.projects.some(project => project.id === state.filters.scope)
  const scope = known || ['all', 'everywhere'].includes(state.filters.scope) ? state.filters.scope : 'all'
  return { ...state, view, loadedAt, problem: null, selected, filters: { ...state.filters, scope } }
}

/** All entries of a tab, the newest first; those that are being edited stay, even when somebody else removes them. */
export function entriesOf(
  { view, edits }: Pick<MemoryState, 'view' | 'edits'>,
  target: MemoryTarget,
): MemoryEntry[] {
  const present = view?.entries ?? []
  const ids = new Set(present.map(entry => entry.id))
  const gone = Object.values(edits)
    .map(edit => edit.entry)
    .filter(entry => !ids.has(entry.id))
  return [...present, ...gone]
    .filter(entry => entry.target === target)
    .toReversed()
    .toSorted((a, b) => b.createdAt - a.createdAt)
}

/** The entries that fit the filters; what is being edited always does. */
export function filterEntries(
  entries: readonly MemoryEntry[],
  { filters, edits, loadedAt }: Pick<MemoryState, 'filters' | 'edits' | 'loadedAt'>,
): MemoryEntry[] {
  const words = filters.query.toLowerCase().split(/\s+/u)
  return entries.filter(entry => {
    if (edits[entry.id]) return true
    const text = entry.text.toLowerCase()
    const days = (loadedAt - entry.updatedAt) / DAY_MS
    return (
      words.every(word => text.includes(word)) &&
      (filters.scope === 'all' ||
        entry.target === 'user' ||
        (entry.project ?? 'everywhere') === filters.scope) &&
      (filters.origin === 'all' || entry.origin === filters.origin) &&
      { all: true, week: days <= 7, month: days <= 30, older: days > 30 }[filters.age] &&
      { all: true, locked: entry.locked, open: !entry.locked }[filters.locked]
    )
  })
}

/** The files that a tab shows the room of: all that the chosen scope has, without folders that have no notes. */
export function capacitiesOf(
  { view, filters }: Pick<MemoryState, 'view' | 'filters'>,
  target: MemoryTarget,
): MemoryView['capacity'] {
  const own = (view?.capacity ?? []).filter(each => each.target === target)
  if (target === 'user') return own
  if (filters.scope === 'all') return own.filter(each => each.project === null || each.used > 0)
  return own.filter(each => (each.project ?? 'everywhere') === filters.scope)
}

/** The place that a change of place is written down as, such as `memory:1a2b3c`. */
export function placeNamed(name: string): Place {
  const [target, project = null] = name.split(':')
  return { target: target === 'user' ? 'user' : 'memory', project }
}
