import { ChevronDown } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { Setting } from '../../../shared/contract/settings.ts'
import { useHost } from '../../rpc/host-context.tsx'
import { groupsOf, isForExperts, type Section } from './sections.ts'
import { SettingRow } from './SettingRow.tsx'
import { useSettings } from './settings-context.ts'
import { settingsText } from './strings.ts'

/** The settings of a section; what only experts need is folded away, unless it was changed or they are one. */
export function SettingGroups({ section }: { section: Section }): ReactNode {
  const settings = useSettings(each => each.settings)
  const expert = useHost(host => host.settings.expert)
  const [isAll, setAll] = useState(false)
  if (!settings) return null
  const isFolded = (setting: Setting) => !expert && !setting.changed && isForExperts(setting)
  const groups = groupsOf(settings, section)
  const folded = groups.flatMap(([, group]) => group).filter(isFolded).length
  return (
    <>
      {groups.map(([name, group]) => {
        const seen = group.filter(setting => isAll || !isFolded(setting))
        const title = groups.length > 1 ? settingsText.groups[name] : undefined
        return seen.length === 0 ? null : (
          <section key={name}>
            {title !== undefined && <h3 className="setting-heading">{title}</h3>}
            <div className="setting-list">
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
          {isAll ? settingsText.showFewer : settingsText.showMore(folded)}
        </button>
      )}
    </>
  )
}
