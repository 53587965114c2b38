import { useMemo } from 'react'
import { useStore, type StoreApi } from 'zustand'
import type { Setting } from '../../../shared/contract/settings.ts'
import { useHost, createPageContext } from '../../rpc/host-context.tsx'
import { showToast } from '../../ui/Toasts.tsx'
import { plural } from '../../ui/format.ts'
import { sectionsOn, type Section } from './setting-texts.ts'
import type { BackupJobs, SettingsStore } from './settings-store.ts'

/** Context that the settings page provides to its parts. */
type SettingsPlace = {
  store: StoreApi<SettingsStore>
  /** Backups that are being made or restored. */
  jobs: BackupJobs
  /** Opens the Models page, which belongs to another feature. */
  onModels: () => void
}

export const [SettingsContext, useSettingsPlace] = createPageContext<SettingsPlace>(
  'A part of the settings was drawn outside of SettingsPage.',
)

/** Selects a part of the settings. The component re-renders only when that part changes. */
export const useSettings = <T>(select: (settings: SettingsStore) => T): T =>
  useStore(useSettingsPlace().store, select)

/** The sections of this window. */
export const useSections = (): readonly Section[] => {
  const hosting = useHost(host => host.hello?.hosting)
  return useMemo(() => sectionsOn(hosting), [hosting])
}

/** Actions of the settings page. Errors appear as toasts. */
export function useSettingActions() {
  const change = useSettings(settings => settings.change)
  const reset = useSettings(settings => settings.reset)
  const setKey = useSettings(settings => settings.setKey)
  const refused = (why: string) => showToast(`The setting was not saved: ${why}`, { level: 'error' })

  return {
    async change(path: string, value: unknown) {
      const answer = await change(path, value)
      if (!answer.ok) refused(answer.fault.message)
    },
    /** Keep or remove a key. Resolves to why that failed. */
    async setKey(name: string, value: string | null): Promise<string | undefined> {
      const answer = await setKey(name, value)
      if (answer.ok) return undefined
      if (value === null) refused(answer.fault.message)
      return answer.fault.message
    },
    /** Reset to the defaults and offer an undo. */
    async reset(settings: readonly Setting[]) {
      const answer = await reset(settings.map(({ path }) => path))
      if (!answer.ok) return refused(answer.fault.message)
      const before = [...answer.value]
      const takeBack = async () => {
        for (const [path, value] of before) {
          const answer = await change(path, value)
          if (!answer.ok) return refused(answer.fault.message)
        }
      }
      showToast(
        plural(
          settings.length,
          'One setting is back to its default.',
          'settings are back to their defaults.',
        ),
        {
          action: { label: 'Undo', run: () => void takeBack() },
          ms: 10_000,
        },
      )
    },
  }
}
