import { createStore, type StoreApi } from 'zustand/vanilla'
import type { SkillLibrary } from '../../../shared/contract/learned/skills.ts'
import { initialSkills, withLibrary, type Filters, type SkillsState, type Spot } from './skills-state.ts'

export type SkillsStore = SkillsState & {
  /** Take over the host's current library. */
  know: (library: SkillLibrary) => void
  filter: (change: Partial<Filters>) => void
  select: (ids: readonly string[], selected: boolean) => void
  /** Set the line the Files tab shows next. */
  look: (spot: Spot | null) => void
}

/**
 * The state of the Skills page: what is open and selected. It outlives the page, so that returning restores
 * it.
 */
export const createSkills = (): StoreApi<SkillsStore> =>
  createStore<SkillsStore>(set => ({
    ...initialSkills,
    know: library => set(state => withLibrary(state, library)),
    filter: change => set(({ filters }) => ({ filters: { ...filters, ...change }, selected: new Set() })),
    select: (ids, isSelected) =>
      set(({ selected }) => {
        const chosen = new Set(ids)
        const others = [...selected].filter(id => !chosen.has(id))
        return { selected: new Set(isSelected ? [...others, ...ids] : others) }
      }),
    look: spot => set({ spot }),
  }))
