import { createContext, use } from 'react'
import { useStore, type StoreApi } from 'zustand'
import type { SettingsStore } from './settings-store.ts'

/** What a part of the settings needs of the page around it. */
export type SettingsPlace = {
  store: StoreApi<SettingsStore>
  /** The Models page belongs to another feature. */
  onModels: () => void
}

export const SettingsContext = createContext<SettingsPlace | null>(null)

/** The page around a part of the settings. */
export function useSettingsPlace(): SettingsPlace {
  const place = use(SettingsContext)
  if (!place) throw new Error('A part of the settings was drawn outside of SettingsPage.')
  return place
}

/** Read a part of the settings; the component draws again only when that part changes. */
export const useSettings = <T>(select: (settings: SettingsStore) => T): T =>
  useStore(useSettingsPlace().store, select)
