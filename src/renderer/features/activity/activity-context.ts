import { createContext, use } from 'react'
import { useStore, type StoreApi } from 'zustand'
import type { ActivityStore } from './activity-store.ts'

export const ActivityContext = createContext<StoreApi<ActivityStore> | null>(null)

/** The store itself, for code that does not render. */
export function useActivityStore(): StoreApi<ActivityStore> {
  const store = use(ActivityContext)
  if (!store) throw new Error('A part of the activity was drawn outside of ActivityPage.')
  return store
}

/** Select part of the activity; the component re-renders only when that part changes. */
export const useActivity = <T>(select: (activity: ActivityStore) => T): T =>
  useStore(useActivityStore(), select)
