import { useEffect, useMemo, useRef, type ReactNode } from 'react'
import type { StoreApi } from 'zustand'
import { useHost, useHostStore } from '../../rpc/host-context.tsx'
import { cx } from '../../ui/cx.ts'
import { useMedia } from '../../ui/use-media.ts'
import type { Thing } from './find-settings.ts'
import { SearchBox } from './SearchBox.tsx'
import { SearchResults } from './SearchResults.tsx'
import { SectionNav, SectionSelect } from './SectionNav.tsx'
import { readSection, type Section } from './sections.ts'
import { SectionView, type Others } from './SectionView.tsx'
import { SettingsContext, useSettings } from './settings-context.ts'
import type { SettingsStore } from './settings-store.ts'
import { settingsText } from './strings.ts'
import { Trouble } from './Trouble.tsx'

type Props = Others & {
  store: StoreApi<SettingsStore>
  /** Stands at the start of the header. */
  start?: ReactNode
  /** The section that the address names. */
  section: string | null
  onSection: (section: Section) => void
  /** Show the Models page. */
  onModels: () => void
}

/** All that can be set, and what there is to know about this computer and what leaves it. Every change counts at once. */
export function SettingsPage({ store, onModels, ...page }: Props): ReactNode {
  const place = useMemo(() => ({ store, onModels }), [store, onModels])
  return (
    <SettingsContext value={place}>
      <Page {...page} />
    </SettingsContext>
  )
}

function Page({ start, section: name, onSection, ...others }: Omit<Props, 'store' | 'onModels'>) {
  useFresh()
  const section = readSection(name)
  // With less, the list of chats and that of the sections leave no room for a setting beside its field.
  const roomy = useMedia('(min-width: 72rem)')
  const isSearching = useSettings(settings => settings.query.trim() !== '')
  const setQuery = useSettings(settings => settings.setQuery)
  const content = useRef<HTMLDivElement>(null)

  const open = (section: Section) => {
    setQuery('')
    onSection(section)
  }
  const openThing = ({ id, section }: Thing) => {
    open(section)
    // It is drawn with its section.
    requestAnimationFrame(() => requestAnimationFrame(() => focusThing(content.current, id)))
  }
  const nav = { section: isSearching ? null : section, onSection: open }

  return (
    <section aria-label={settingsText.title} className="flex min-h-0 flex-1 flex-col">
      <header className="chat-header">
        {start}
        <h1 className="min-w-0 flex-1 truncate px-2 text-sm font-semibold">{settingsText.title}</h1>
      </header>
      <Trouble />
      <div className={cx('settings-body', !roomy && 'flex-col')}>
        {roomy ? (
          <div className="settings-pane">
            <SearchBox />
            <SectionNav {...nav} />
          </div>
        ) : (
          <div className="settings-bar">
            <SectionSelect {...nav} />
            <SearchBox />
          </div>
        )}
        {/* Each begins at its top. */}
        <div
          key={isSearching ? 'search' : section}
          ref={content}
          aria-label={isSearching ? settingsText.search.label : settingsText.sections[section]}
          // It scrolls, and some sections hold text only.
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

/** What is shown is what the host has: after its greeting, after each change that it tells of, and after an editor. */
function useFresh() {
  const greeted = useSettings(settings => settings.greeted)
  const load = useSettings(settings => settings.load)
  const hello = useHost(host => host.hello)
  const host = useHostStore()
  useEffect(() => {
    if (hello) void greeted(hello)
  }, [greeted, hello])
  useEffect(() => {
    void load()
    return host.subscribe((now, before) => {
      if (
        now.settings !== before.settings ||
        now.locked !== before.locked ||
        now.defaultModelId !== before.defaultModelId
      )
        void load()
    })
  }, [load, host])
  useEffect(() => {
    const look = () => void load()
    window.addEventListener('focus', look)
    return () => window.removeEventListener('focus', look)
  }, [load])
}

/** What was found takes the focus; the section itself where it is not there, such as figures that are still on their way. */
function focusThing(content: HTMLElement | null, id: string) {
  const thing =
    content?.querySelector<HTMLElement>(`[data-thing="${id}"]`) ?? content?.querySelector<HTMLElement>('h2')
  thing?.scrollIntoView({ block: 'start' })
  thing?.focus({ preventScroll: true })
}
