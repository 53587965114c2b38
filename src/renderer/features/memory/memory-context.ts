import { createContext, use } from 'react'
import { useStore, type StoreApi } from 'zustand'
import type { MemoryEntry } from '../../../shared/contract/memory.ts'
import type { Place } from './memory-state.ts'
import type { MemoryStore } from './memory-store.ts'

const placeNames = { user: 'About you', memory: 'Notes, everywhere' }

export const MemoryContext = createContext<StoreApi<MemoryStore> | null>(null)

/** The store itself, for code that does not render. */
export function useMemoryStore(): StoreApi<MemoryStore> {
  const store = use(MemoryContext)
  if (!store) throw new Error('A part of the memory was drawn outside of MemoryPage.')
  return store
}

/** Select part of the memory; the component re-renders only when that part changes. */
export const useMemory = <T>(select: (memory: MemoryStore) => T): T => useStore(useMemoryStore(), select)

/** An entry by its id; undefined when it does not exist. */
export const useEntry = (id: string | null): MemoryEntry | undefined =>
  useMemory(memory => memory.view?.entries.find(entry => entry.id === id))

/** The label of a place. */
export function usePlaceName(): (place: Place) => string {
  const projects = useMemory(memory => memory.view?.projects)
  return ({ target, project }) => {
    if (project === null) return placeNames[target]
    const name = projects?.find(each => each.id === project)?.name
    return name === undefined ? 'Notes of a folder that is no longer known' : `Notes of ${name}`
  }
}

/** All places that hold entries, in the order of the tabs. */
export function usePlaces(): readonly Place[] {
  const projects = useMemory(memory => memory.view?.projects)
  return [
    { target: 'user', project: null },
    { target: 'memory', project: null },
    ...(projects ?? []).map(({ id }): Place => ({ target: 'memory', project: id })),
  ]
}
