import { createContext, use } from 'react'
import { useStore, type StoreApi } from 'zustand'
import type { ImportStore } from './import-store.ts'

export const ImportContext = createContext<StoreApi<ImportStore> | null>(null)

/** Select a part of the import. The component renders again only when that part changes. */
export function useImport<T>(select: (state: ImportStore) => T): T {
  const store = use(ImportContext)
  if (!store) throw new Error('A part of the import was drawn outside of its dialog.')
  return useStore(store, select)
}
