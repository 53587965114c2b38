import { useMemo } from 'react'
import { useStore, type StoreApi } from 'zustand'
import type { ConfigProblem, Key, Setting } from '../../../shared/contract/settings.ts'
import type { Outcome } from '../../rpc/attempt.ts'
import { useAnswers, useHost, createPageContext } from '../../rpc/host-context.tsx'
import { useAnswer, useLastValue } from '../../rpc/use-answer.ts'
import { showToast } from '../../ui/Toasts.tsx'
import { plural } from '../../ui/text/format-values.ts'
import { sectionsOn } from './setting-texts.ts'
import { type Section } from '../../../shared/words/setting-words.ts'
import { isSame, type BackupJobs, type SettingsStore } from './settings-store.ts'

/** Context that the settings page provides to its parts. */
type SettingsPlace = {
  store: StoreApi<SettingsStore>
  /** Backups that are being made or restored. */
  jobs: BackupJobs
  /** Opens the Models page, which belongs to another feature. */
  onModels: () => void
}

export const [SettingsContext, useSettingsPlace] = createPageContext<SettingsPlace>(
  'Part of the settings page was rendered outside SettingsPage.',
)

/** Selects a part of the store. The component re-renders only when that part changes. */
export const useSettings = <T>(select: (settings: SettingsStore) => T): T =>
  useStore(useSettingsPlace().store, select)

type Listed = {
  /** Null until the host has answered. */
  settings: readonly Setting[] | null
  /** The names in `.env`, without the values of secrets. */
  keys: readonly Key[]
  /** Path of the settings file. */
  file: string
  problems: readonly ConfigProblem[]
  /** Why the last read failed; null if it succeeded. */
  problem: string | null
}

/** The host's settings. Only the page reads them again when the window gets the focus, its parts do not. */
export function useSettingList(isPage = false): Listed {
  const answer = useAnswer('settings.list', {}, { isTold: !isPage })
  const list = useLastValue(answer?.ok ? answer.value : undefined)
  const problem = answer?.ok === false ? answer.fault.message : null
  return { settings: null, keys: [], file: '', problems: [], ...list, problem }
}

/** The sections of this window. */
export const useSections = (): readonly Section[] => {
  const hosting = useHost(host => host.hello?.hosting)
  return useMemo(() => sectionsOn(hosting), [hosting])
}

/** Actions of the settings page. Errors appear as toasts. */
export function useSettingActions() {
  const answers = useAnswers()
  const { ask, known, put, renew } = answers
  const putSetting = (path: string, next: (setting: Setting) => Setting) =>
    put('settings.list', {}, list => ({
      ...list,
      settings: list.settings.map(each => (each.path === path ? next(each) : each)),
    }))

  /** Change a setting: shown at once, and reverted if the host refuses it. */
  async function change(path: string, value: unknown): Promise<Outcome<Setting>> {
    const before = known('settings.list', {})?.settings.find(each => each.path === path)
    putSetting(path, each => ({ ...each, value, changed: !isSame(value, each.standard) }))
    const answer = await ask('settings.set', { path, value })
    if (answer.ok) putSetting(path, () => answer.value)
    // Keep a later choice.
    else if (before) putSetting(path, each => (isSame(each.value, value) ? before : each))
    return answer
  }
  /** Resolves to the old values, for undo. */
  async function reset(settings: readonly Setting[]): Promise<Outcome<[string, unknown][]>> {
    try {
      for (const { path } of settings) {
        const answer = await ask('settings.reset', { path })
        if (!answer.ok) return answer
      }
    } finally {
      await renew(['settings'])
    }
    return { ok: true, value: settings.map(({ path, value }) => [path, value]) }
  }
  const refused = (why: string) => showToast(`The setting was not saved: ${why}`, { level: 'error' })

  return {
    async change(path: string, value: unknown) {
      const answer = await change(path, value)
      if (!answer.ok) refused(answer.fault.message)
    },
    /** Store or remove a key. Resolves to an error text if that fails. */
    async setKey(name: string, value: string | null): Promise<string | undefined> {
      const answer = await answers.change('settings.setKey', { name, value }, ['settings'])
      if (answer.ok) return undefined
      if (value === null) refused(answer.fault.message)
      return answer.fault.message
    },
    /** Reset to the defaults and offer an undo. */
    async reset(settings: readonly Setting[]) {
      const answer = await reset(settings)
      if (!answer.ok) return refused(answer.fault.message)
      const takeBack = async () => {
        for (const [path, value] of answer.value) {
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
