import { Settings as SettingsIcon } from 'lucide-react'
import { useMemo } from 'react'
import type { Key, Setting } from '../../shared/contract/settings.ts'
import { goTo } from '../route.ts'
import { useHost } from '../rpc/host-context.tsx'
import { useAnswer } from '../rpc/use-answer.ts'
import { things } from '../features/settings/find-settings.ts'
import { sectionsOn } from '../features/settings/setting-texts.ts'
import { isShown, sectionOf, sectionTitles, type Section } from '../../shared/words/setting-words.ts'
import { entryOf, type Entry } from './entries.ts'

type Known = { shown: readonly Setting[]; keys: readonly Key[]; sections: readonly Section[] }

/** The settings of this host; undefined until it has answered. */
export function useLoadedSettings(): Known & { isReading: boolean } {
  const answer = useAnswer('settings.list', {}, { isTold: true })
  const hosting = useHost(host => host.hello?.hosting)
  const known = useMemo(() => {
    const { settings = [], keys = [] } = answer?.ok ? answer.value : {}
    return { shown: settings.filter(isShown), keys, sections: sectionsOn(hosting) }
  }, [answer, hosting])
  return { ...known, isReading: answer === undefined }
}

/** Settings, keys and the parts of the Settings page. Choosing one opens its field. */
export function settingEntries({ shown, keys, sections }: Known): Entry[] {
  const entry = (id: string, section: Section, title: string, words: string): Entry =>
    entryOf({
      id: `setting:${id}`,
      group: 'Settings',
      title,
      words,
      icon: <SettingsIcon size={16} />,
      end: sectionTitles[section],
      isOnlyFound: true,
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
