import { createContext, use } from 'react'
import { useStore, type StoreApi } from 'zustand'
import type { MemoryEntry } from '../../../shared/contract/memory.ts'
import type { Place } from './memory-state.ts'
import type { MemoryStore } from './memory-store.ts'
import { memoryText } from './strings.ts'

export const MemoryContext = createContext<StoreApi<MemoryStore> | null>(null)

/** The store itself, for code that acts without drawing. */
export function useMemoryStore(): StoreApi<MemoryStore> {
  const store = use(MemoryContext)
  if (!store) throw new Error('A part of the memory was drawn outside of MemoryPage.')
  return store
}

/** Read a part of the memory; the component draws again only when that part changes. */
export const useMemory = <T>(select: (memory: MemoryStore) => T): T => useStore(useMemoryStore(), select)

/** An entry by its id; undefined when it is not in the notebook. */
export const useEntry = (id: string | null): MemoryEntry | undefined =>
  useMemory(memory => memory.view?.entries.find(entry => entry.id === id))

/** How a place is called. */
export function usePlaceName(): (place: Place) => string {
  const projects = useMemory(memory => memory.view?.projects)
  return ({ target, project }) => {
    if (project === null) return memoryText.places[target]
    const name = projects?.find(each => each.id === project)?.name
    return name === undefined ? memoryText.gonePlace : memoryText.places.project(name)
  }
}

/** Everywhere that something can be remembered, in the order of the tabs. */
export function usePlaces(): readonly Place[] {
  const projects = useMemory(memory => memory.view?.projects)
  return [
    { target: 'user', project: null },
    { target: 'memory', project: null },
    ...(projects ?? []).map(({ id }): Place => ({ target: 'memory', project: id })),
  ]
}
