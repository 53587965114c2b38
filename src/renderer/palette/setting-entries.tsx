import { Settings as SettingsIcon } from 'lucide-react'
import { useEffect, useMemo } from 'react'
import { useStore, type StoreApi } from 'zustand'
import type { Key, Setting } from '../../shared/contract/settings.ts'
import { goTo } from '../route.ts'
import { useHost } from '../rpc/host-context.tsx'
import { things } from '../features/settings/find-settings.ts'
import {
  isShown,
  sectionOf,
  sectionsOn,
  sectionTitles,
  type Section,
} from '../features/settings/setting-texts.ts'
import type { SettingsStore } from '../features/settings/settings-store.ts'
import { entryOf, type Entry } from './entries.ts'

type Known = { shown: readonly Setting[]; keys: readonly Key[]; sections: readonly Section[] }

/** The settings of this host, read now if they were not. */
export function useLoadedSettings(store: StoreApi<SettingsStore>): Known {
  const settings = useStore(store, state => state.settings)
  const keys = useStore(store, state => state.keys)
  const load = useStore(store, state => state.load)
  useEffect(() => {
    if (settings === null) void load()
  }, [settings, load])
  const hosting = useHost(host => host.hello?.hosting)
  return useMemo(
    () => ({ shown: (settings ?? []).filter(isShown), keys, sections: sectionsOn(hosting) }),
    [settings, keys, hosting],
  )
}

/** Settings, keys and the parts of the Settings page. Choosing one leads to its field. */
export function settingEntries({ shown, keys, sections }: Known): Entry[] {
  const entry = (id: string, section: Section, title: string, words: string): Entry =>
    entryOf({
      id: `setting:${id}`,
      group: 'Settings',
      title,
      words,
      icon: <SettingsIcon size={15} />,
      end: sectionTitles[section],
      does: 'leads to it',
      run: () => goTo({ page: 'settings', tab: section, itemId: id }),
    })
  return [
    ...shown.map(setting =>
      entry(setting.path, sectionOf(setting), setting.title, `${setting.path} ${setting.help}`),
    ),
    ...things
      .filter(({ section }) => sections.includes(section))
      .map(({ id, section, title, words }) => entry(id, section, title, words)),
    ...keys.map(({ name, help }) => entry(name, 'privacy', name, `${help} api key`)),
  ]
}
