import { useEffect, useEffectEvent, useMemo, useRef, type ReactNode } from 'react'
import type { StoreApi } from 'zustand'
import { ChevronRight } from 'lucide-react'
import type { Setting } from '../../../shared/contract/settings.ts'
import { useHost } from '../../rpc/host-context.tsx'
import { cx, useMedia } from '../../ui/style.ts'
import type { BackupJobs, SettingsStore } from './settings-store.ts'
import { findSettings, type Thing } from './find-settings.ts'
import { SectionNav, SectionSelect } from './SectionNav.tsx'
import { readSection } from './setting-texts.ts'
import { sectionTitles, type Section } from '../../../shared/words/setting-words.ts'
import { SectionView, type Others } from './SectionView.tsx'
import { SettingsContext, useSections, useSettingList, useSettings } from './use-settings.ts'
import { SettingsTrouble } from './SettingsTrouble.tsx'
import { Highlight } from '../../ui/text/InlineText.tsx'
import { SearchBox } from '../../ui/fields/TextField.tsx'
import { countOf } from '../../ui/text/format-values.ts'
import { ProviderKeyRow } from './ProviderKeys.tsx'
import { SettingRow } from './SettingRows.tsx'

type Props = Others & {
  store: StoreApi<SettingsStore>
  jobs: BackupJobs
  /** Content at the start of the header. */
  start?: ReactNode
  /** The section named in the URL. */
  section: string | null
  onSection: (section: Section) => void
  /** The setting, key or part named in the URL, which gets the focus. */
  item?: string | null
  /** Open the Models page. */
  onModels: () => void
}

/** The Settings page, with usage, privacy and system facts. Changes are saved at once. */
export function SettingsPage({ store, jobs, onModels, ...page }: Props): ReactNode {
  const place = useMemo(() => ({ store, jobs, onModels }), [store, jobs, onModels])
  return (
    <SettingsContext value={place}>
      <Page {...page} />
    </SettingsContext>
  )
}

function Page({
  start,
  section: name,
  onSection,
  item = null,
  ...others
}: Omit<Props, 'store' | 'jobs' | 'onModels'>) {
  const { settings } = useSettingList(true)
  useKnown(settings)
  const section = readSection(name, useSections())
  // Below this width, the chat list and the section list leave too little space for a setting and its field.
  const roomy = useMedia('(min-width: 72rem)')
  const isSearching = useSettings(settings => settings.query.trim() !== '')
  const setQuery = useSettings(settings => settings.setQuery)
  const setTarget = useSettings(settings => settings.setTarget)
  const content = useRef<HTMLDivElement>(null)

  const open = (section: Section) => {
    setQuery('')
    setTarget(null)
    onSection(section)
  }
  const openThing = ({ id, section }: Pick<Thing, 'id' | 'section'>) => {
    open(section)
    setTarget(id)
    // The target is rendered together with its section, so wait for that.
    requestAnimationFrame(() => requestAnimationFrame(() => focusThing(content.current, id)))
  }
  const isLoaded = settings !== null
  const goToItem = useEffectEvent((id: string) => openThing({ id, section }))
  useEffect(() => {
    if (item !== null && isLoaded) goToItem(item)
  }, [item, isLoaded])
  const nav = { section: isSearching ? null : section, onSection: open }

  return (
    <section aria-label="Settings" className="flex min-h-0 flex-1 flex-col">
      <header className="chat-header">
        {start}
        <h1 className="min-w-0 flex-1 truncate px-2 text-sm font-semibold">Settings</h1>
      </header>
      <SettingsTrouble />
      <div className={cx('settings-body', !roomy && 'flex-col')}>
        {roomy ? (
          <div className="settings-pane">
            <SettingsSearch />
            <SectionNav {...nav} />
          </div>
        ) : (
          <div className="settings-bar">
            <SectionSelect {...nav} />
            <SettingsSearch />
          </div>
        )}
        {/* The key resets the scroll position for each section. */}
        <div
          key={isSearching ? 'search' : section}
          ref={content}
          aria-label={isSearching ? 'Search all settings' : sectionTitles[section]}
          // A scroll container needs keyboard focus, because some sections contain only text.
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
          role="group"
          className="settings-content"
        >
          <div className="settings-column">
            {isSearching ? (
              <SearchResults onThing={openThing} />
            ) : (
              <SectionView section={section} {...others} />
            )}
          </div>
        </div>
      </div>
    </section>
  )
}

/** Remembers the values of settings when the host started. */
function useKnown(settings: readonly Setting[] | null) {
  const know = useSettings(each => each.know)
  const hello = useHost(host => host.hello)
  useEffect(() => {
    if (hello && settings) know(hello, settings)
  }, [know, hello, settings])
}

/**
 * Focuses the search result, or the section if the result is not rendered yet, such as usage data that is
 * still loading.
 */
function focusThing(content: HTMLElement | null, id: string) {
  const thing =
    content?.querySelector<HTMLElement>(`[data-thing="${id}"]`) ??
    content?.querySelector<HTMLElement>(
      `[data-setting="${id}"] .setting-control :is(input, select, button)`,
    ) ??
    content?.querySelector<HTMLElement>('h2')
  // A setting keeps its name in view above its field.
  const row = thing?.closest('[data-setting]')
  ;(row ?? thing)?.scrollIntoView({ block: row ? 'center' : 'start' })
  thing?.focus({ preventScroll: true })
}

/** Searches all sections of the settings. */
function SettingsSearch(): ReactNode {
  const query = useSettings(settings => settings.query)
  const setQuery = useSettings(settings => settings.setQuery)
  return <SearchBox label="Search all settings" query={query} onQuery={setQuery} />
}

/** Search results by section. A setting can be changed right in the results. */
function SearchResults({ onThing }: { onThing: (thing: Pick<Thing, 'id' | 'section'>) => void }): ReactNode {
  const query = useSettings(settings => settings.query).trim()
  const { settings, keys } = useSettingList()
  const found = findSettings(query, { settings: settings ?? [], keys }, useSections())
  const count = found.reduce(
    (sum, each) => sum + each.settings.length + each.keys.length + each.things.length,
    0,
  )
  return (
    <>
      <h2 className="sr-only">Search all settings</h2>
      <output className="text-sm text-ink-2">
        {count === 0 ? 'Nothing found' : countOf(count, 'result found', 'results found')}
      </output>
      {count === 0 && <p className="text-sm text-ink-2">{`No setting matches “${query}”.`}</p>}
      {found.map(({ section, settings, keys, things }) => (
        <section key={section}>
          <h3 className="setting-heading">{sectionTitles[section]}</h3>
          <div className="setting-list">
            {settings.map(setting => (
              <SettingRow
                key={setting.path}
                setting={setting}
                query={query}
                onShow={() => onThing({ id: setting.path, section })}
              />
            ))}
            {keys.map(each => (
              <ProviderKeyRow key={each.name} of={each} query={query} />
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
                <ChevronRight size={16} className="shrink-0 text-ink-3 rtl:rotate-180" />
              </button>
            ))}
          </div>
        </section>
      ))}
    </>
  )
}
