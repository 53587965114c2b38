import { ChevronDown } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { Setting } from '../../../shared/contract/settings.ts'
import { useHost } from '../../rpc/host-context.tsx'
import { groupsOf, isForExperts, type Section } from './sections.ts'
import { SettingRow } from './SettingRow.tsx'
import { useSettings } from './settings-context.ts'
import { countOf } from '../../ui/format.ts'

const GROUP_TITLES: Readonly<Record<string, string>> = {
  agent: 'Answers',
  compaction: 'Long chats',
  engine: 'Engine on this computer',
  memory: 'Memory',
  models: 'Which model answers',
  skills: 'Skills',
  learning: 'Learning from chats',
}

/** The settings of a section. Expert settings are collapsed unless changed or expert mode is on. */
export function SettingGroups({ section }: { section: Section }): ReactNode {
  const settings = useSettings(each => each.settings)
  const expert = useHost(host => host.settings.expert)
  const [isAll, setAll] = useState(false)
  /** Path of the row with the focus. It stays open, even if another window resets it during an edit. */
  const [focused, setFocused] = useState<string | null>(null)
  if (!settings) return null
  const isFolded = (setting: Setting) => !expert && !setting.changed && isForExperts(setting)
  const groups = groupsOf(settings, section)
  const folded = groups.flatMap(([, group]) => group).filter(isFolded).length
  return (
    <>
      {groups.map(([name, group]) => {
        const seen = group.filter(setting => isAll || setting.path === focused || !isFolded(setting))
        const title = groups.length > 1 ? GROUP_TITLES[name] : undefined
        return seen.length === 0 ? null : (
          <section key={name}>
            {title !== undefined && <h3 className="setting-heading">{title}</h3>}
            <div
              className="setting-list"
              onFocus={event => setFocused(pathAt(event.target))}
              onBlur={event => setFocused(pathAt(event.relatedTarget))}
            >
              {seen.map(setting => (
                <SettingRow key={setting.path} setting={setting} />
              ))}
            </div>
          </section>
        )
      })}
      {folded > 0 && (
        <button
          type="button"
          aria-expanded={isAll}
          className="btn btn-quiet justify-self-start"
          onClick={() => setAll(!isAll)}
        >
          <ChevronDown size={15} className={isAll ? 'rotate-180' : undefined} />
          {isAll
            ? 'Show fewer settings'
            : `Show ${countOf(folded, 'more setting', 'more settings')} for experts`}
        </button>
      )}
    </>
  )
}

/** The path of the setting whose row contains an element. */
const pathAt = (element: Element | null): string | null =>
  element?.closest('[data-setting]')?.getAttribute('data-setting') ?? null
