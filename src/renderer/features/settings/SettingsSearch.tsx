import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { SearchBox } from '../../ui/TextField.tsx'
import { Highlight } from '../../ui/InlineText.tsx'
import { countOf } from '../../ui/format.ts'
import { useSections, useSettings } from './use-settings.ts'
import { findSettings, type Thing } from './find-settings.ts'
import { SettingRow } from './SettingRows.tsx'
import { sectionTitles } from './sections.ts'

/** Searches all sections of the settings. */
export function SettingsSearch(): ReactNode {
  const query = useSettings(settings => settings.query)
  const setQuery = useSettings(settings => settings.setQuery)
  return <SearchBox label="Search all settings" query={query} onQuery={setQuery} />
}

/** Search results by section. A setting can be changed right in the results. */
export function SearchResults({ onThing }: { onThing: (thing: Thing) => void }): ReactNode {
  const query = useSettings(settings => settings.query).trim()
  const settings = useSettings(each => each.settings)
  const found = findSettings(query, settings ?? [], useSections())
  const count = found.reduce((sum, each) => sum + each.settings.length + each.things.length, 0)
  return (
    <>
      <h2 className="sr-only">Search all settings</h2>
      <output className="text-sm text-ink-2">
        {count === 0 ? 'Nothing found' : countOf(count, 'result found', 'results found')}
      </output>
      {count === 0 && <p className="text-sm text-ink-2">No setting matches “{query}”.</p>}
      {found.map(({ section, settings, things }) => (
        <section key={section}>
          <h3 className="setting-heading">{sectionTitles[section]}</h3>
          <div className="setting-list">
            {settings.map(setting => (
              <SettingRow key={setting.path} setting={setting} query={query} />
            ))}
            {things.map(thing => (
              <button
                key={thing.id}
                type="button"
                aria-label={
                  thing.id === section ? thing.title : `${thing.title}: open ${sectionTitles[section]}`
                }
                className="setting setting-way"
                onClick={() => onThing(thing)}
              >
                <span className="min-w-0 flex-1 text-sm font-medium">
                  <Highlight text={thing.title} query={query} />
                </span>
                <ChevronRight size={15} className="shrink-0 text-ink-3 rtl:rotate-180" />
              </button>
            ))}
          </div>
        </section>
      ))}
    </>
  )
}
