import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Proposal } from '../../../shared/contract/learned/learning.ts'
import { keepEdits, readTexts } from '../../ui/fields/typed-edits.ts'
import {
  initialActivity,
  type ActivityState,
  type Edit,
  type Filter,
  type Tab,
  type View,
} from './activity-state.ts'

export type ActivityStore = ActivityState & {
  /** Deselect cards that no longer wait, and discard edits of cards that were decided elsewhere. */
  follow: (view: View) => void
  setTab: (tab: Tab) => void
  setFilter: (filter: Filter) => void
  setWanted: (wanted: number) => void
  select: (ids: readonly string[], selected: boolean) => void
  /** Toggle a card open or closed. */
  turn: (id: string) => void
  /** Show a card or line in its tab; waiting cards are open by default. */
  reveal: (id: string, isWaiting: boolean) => void
  /** Set the side effects of the last decision. */
  note: (notes: Partial<Pick<ActivityState, 'written' | 'left'>>) => void

  startEdit: (proposal: Proposal) => void
  changeEdit: (id: string, change: Partial<Edit>) => void
  endEdit: (id: string) => void
}

/**
 * The state of the Activity page: what is open, selected and typed. It outlives the page, so drafts survive.
 */
export function createActivity(): StoreApi<ActivityStore> {
  const store = createStore<ActivityStore>(set => ({
    ...initialActivity,
    follow: ({ waiting }) =>
      set(({ selected, edits }) => {
        const open = new Set(waiting.map(({ id }) => id))
        return {
          selected: new Set([...selected].filter(id => open.has(id))),
          edits: Object.fromEntries(Object.entries(edits).filter(([id]) => open.has(id))),
        }
      }),
    setTab: tab => set({ tab }),
    setFilter: filter => set({ filter, selected: new Set() }),
    setWanted: wanted => set({ wanted }),
    select: (ids, isSelected) =>
      set(({ selected }) => {
        const chosen = new Set(ids)
        const others = [...selected].filter(id => !chosen.has(id))
        return { selected: new Set(isSelected ? [...others, ...ids] : others) }
      }),
    turn: id =>
      set(({ turned }) => {
        const next = new Set(turned)
        if (!next.delete(id)) next.add(id)
        return { turned: next }
      }),
    reveal: (id, isWaiting) =>
      set(({ turned }) => {
        const others = [...turned].filter(each => each !== id)
        return { tab: 'cards', turned: new Set(isWaiting ? others : [...others, id]) }
      }),
    note: notes => set(notes),

    startEdit: ({ id, after, seen }) =>
      set(({ edits }) => ({
        edits: { ...edits, [id]: edits[id] ?? { text: after ?? '', seen, saving: false, problem: null } },
      })),
    changeEdit: (id, change) =>
      set(({ edits }) => (edits[id] ? { edits: { ...edits, [id]: { ...edits[id], ...change } } } : {})),
    endEdit: id => set(({ edits: { [id]: _ended, ...edits } }) => ({ edits })),
  }))
  keepEdits<Edit, ActivityStore>(store, 'proposal', {
    whole: kept => {
      const edit = readTexts(kept, 'text', 'seen')
      return edit && { ...edit, saving: false, problem: null }
    },
    isChanged: () => true,
  })
  return store
}
