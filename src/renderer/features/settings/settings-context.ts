import { createContext, use } from 'react'
import { useStore, type StoreApi } from 'zustand'
import type { SettingsStore } from './settings-store.ts'

/** Context that the settings page provides to its parts. */
export type SettingsPlace = {
  store: StoreApi<SettingsStore>
  /** Opens the Models page, which belongs to another feature. */
  onModels: () => void
}

export const SettingsContext = createContext<SettingsPlace | null>(null)

export function useSettingsPlace(): SettingsPlace {
  const place = use(SettingsContext)
  if (!place) throw new Error('A part of the settings was drawn outside of SettingsPage.')
  return place
}

/** Selects a part of the settings. The component re-renders only when that part changes. */
export const useSettings = <T>(select: (settings: SettingsStore) => T): T =>
  useStore(useSettingsPlace().store, select)
