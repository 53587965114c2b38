import { createStore, type StoreApi } from 'zustand/vanilla'
import { MemoryEntry, type MemoryTarget, type MemoryView } from '../../../shared/contract/learned/memory.ts'
import { keepEdits, readTexts } from '../../ui/fields/typed-edits.ts'
import {
  filterEntries,
  initialMemory,
  noFilters,
  withView,
  type Edit,
  type Filters,
  type MemoryState,
  type Tab,
} from './memory-state.ts'

export type MemoryStore = MemoryState & {
  /** Deselect entries that are gone, and clear the filter by a project that is. */
  follow: (view: MemoryView) => void
  setTab: (tab: Tab) => void
  filter: (change: Partial<Filters>) => void
  /** Show an entry: switch to its tab and clear the filters that hide it. */
  reveal: (entry: MemoryEntry) => void
  select: (ids: readonly string[], selected: boolean) => void
  draft: (target: MemoryTarget, text: string) => void

  startEdit: (entry: MemoryEntry) => void
  changeEdit: (id: string, change: Partial<Edit>) => void
  endEdit: (id: string) => void
}

/**
 * The state of the Memory page: what is open, selected and typed. It outlives the page, so drafts survive.
 */
export function createMemory(): StoreApi<MemoryStore> {
  const store = createStore<MemoryStore>(set => ({
    ...initialMemory,
    follow: view => set(state => withView(state, view)),
    setTab: tab => set({ tab, selected: new Set() }),
    filter: change => set(({ filters }) => ({ filters: { ...filters, ...change }, selected: new Set() })),
    reveal: entry =>
      set(state => ({
        tab: entry.target,
        filters: filterEntries([entry], state).length > 0 ? state.filters : noFilters,
      })),
    select: (ids, isSelected) =>
      set(({ selected }) => {
        const chosen = new Set(ids)
        const others = [...selected].filter(id => !chosen.has(id))
        return { selected: new Set(isSelected ? [...others, ...ids] : others) }
      }),
    draft: (target, text) => set(({ drafts }) => ({ drafts: { ...drafts, [target]: text } })),

    startEdit: entry =>
      set(({ edits }) => ({
        edits: {
          ...edits,
          [entry.id]: edits[entry.id] ?? {
            entry,
            before: entry.text,
            text: entry.text,
            saving: false,
            problem: null,
          },
        },
      })),
    changeEdit: (id, change) =>
      set(({ edits }) => (edits[id] ? { edits: { ...edits, [id]: { ...edits[id], ...change } } } : {})),
    endEdit: id => set(({ edits: { [id]: _ended, ...edits } }) => ({ edits })),
  }))
  keepEdits<Edit, MemoryStore>(store, 'memory', {
    whole: kept => {
      const edit = readTexts(kept, 'before', 'text')
      const entry = MemoryEntry.safeParse(Object(kept).entry)
      return edit && entry.success ? { ...edit, entry: entry.data, saving: false, problem: null } : undefined
    },
    isChanged: ({ text, before }) => text !== before,
  })
  return store
}
