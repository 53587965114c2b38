import type {
  MemoryActor,
  MemoryEntry,
  MemoryTarget,
  MemoryView,
} from '../../../shared/contract/learned/memory.ts'

export type Tab = MemoryTarget | 'archive' | 'history'

/** The location of an entry: facts about the user, the global notes, or the notes of one project. */
export type Place = { target: MemoryTarget; project: string | null }

export type Filters = {
  query: string
  /** A project id, or a value that selects several places. */
  scope: string
  origin: MemoryActor | 'all'
  age: 'all' | 'week' | 'month' | 'older'
  locked: 'all' | 'locked' | 'open'
}

/** An entry being edited; `before` is the text when editing started. */
export type Edit = {
  entry: MemoryEntry
  before: string
  text: string
  saving: boolean
  problem: string | null
}

export type MemoryState = {
  tab: Tab
  filters: Filters
  edits: Readonly<Record<string, Edit>>
  selected: ReadonlySet<string>
  /** Unsaved text of the add fields. */
  drafts: Readonly<Record<MemoryTarget, string>>
}

export const noFilters: Filters = { query: '', scope: 'all', origin: 'all', age: 'all', locked: 'all' }

export const initialMemory: MemoryState = {
  tab: 'user',
  filters: noFilters,
  edits: {},
  selected: new Set(),
  drafts: { user: '', memory: '' },
}

const DAY_MS = 86_400_000

/** Above this share a file is nearly full, and the page shows what would be removed first. */
const NEARLY_FULL = 0.85

type Use = { used: number; limit: number }

/** How much of its limit a file uses; 1 if it has none. */
export const usedShare = ({ used, limit }: Use): number => (limit === 0 ? 1 : used / limit)

export const isNearlyFull = (use: Use): boolean => usedShare(use) >= NEARLY_FULL

/** Above this share the page offers to free space. */
export const WANTS_ROOM = 0.9

/** Long or multi-line texts are edited in a larger field. */
export const isLong = (text: string): boolean => text.length > 300 || text.includes('\n')

export const isIn = (entry: Place, place: Place): boolean =>
  entry.target === place.target && entry.project === place.project

/** Deselect entries that are gone, and clear the filter by a project that is. */
export function withView(
  state: Pick<MemoryState, 'selected' | 'filters'>,
  view: MemoryView,
): Pick<MemoryState, 'selected' | 'filters'> {
  const ids = new Set(view.entries.map(entry => entry.id))
  const selected = new Set([...state.selected].filter(id => ids.has(id)))
  const known = view.projects.some(project => project.id === state.filters.scope)
  const scope = known || ['all', 'everywhere'].includes(state.filters.scope) ? state.filters.scope : 'all'
  return { selected, filters: { ...state.filters, scope } }
}

/** All entries of a tab, newest first. Entries being edited stay, even when removed elsewhere. */
export function entriesOf(
  { view, edits }: Pick<MemoryState, 'edits'> & { view: MemoryView | null },
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

/** The entries that match the filters. Entries being edited always match. */
export function filterEntries(
  entries: readonly MemoryEntry[],
  { filters, edits }: Pick<MemoryState, 'filters' | 'edits'>,
  now = Date.now(),
): MemoryEntry[] {
  const words = filters.query.toLowerCase().split(/\s+/u)
  return entries.filter(entry => {
    if (edits[entry.id]) return true
    const text = entry.text.toLowerCase()
    const days = (now - entry.updatedAt) / DAY_MS
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

/** The files whose capacity a tab shows: all in the chosen scope, except projects without notes. */
export function capacitiesOf(
  { view, filters }: Pick<MemoryState, 'filters'> & { view: MemoryView | null },
  target: MemoryTarget,
): MemoryView['capacity'] {
  const own = (view?.capacity ?? []).filter(each => each.target === target)
  if (target === 'user') return own
  if (filters.scope === 'all') return own.filter(each => each.project === null || each.used > 0)
  return own.filter(each => (each.project ?? 'everywhere') === filters.scope)
}

/** Parse a place from a move revision, such as `memory:1a2b3c`. */
export function placeNamed(name: string): Place {
  const [target, project = null] = name.split(':')
  return { target: target === 'user' ? 'user' : 'memory', project }
}
