import { useEffect, type ReactNode } from 'react'
import type { StoreApi } from 'zustand'
import { go, useRoute } from '../../route.ts'
import { useHost } from '../../rpc/host-context.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { useMedia } from '../../ui/use-media.ts'
import { ArchiveTab } from './ArchiveTab.tsx'
import { DetailAside, DetailDialog } from './Detail.tsx'
import { EntriesTab } from './EntriesTab.tsx'
import { Header } from './Header.tsx'
import { HistoryTab } from './HistoryTab.tsx'
import { MemoryContext, useEntry, useMemory } from './memory-context.ts'
import type { Tab } from './memory-state.ts'
import type { MemoryStore } from './memory-store.ts'
import { focusEntry } from './rows.ts'
import { memoryText } from './strings.ts'
import { Trouble } from './Trouble.tsx'

type Props = {
  store: StoreApi<MemoryStore>
  /** Stands at the start of the header. */
  start?: ReactNode
}

/** Everything that is remembered: to see, to change, and to take back. */
export function MemoryPage({ store, start }: Props): ReactNode {
  return (
    <MemoryContext value={store}>
      <Page start={start} />
    </MemoryContext>
  )
}

function Page({ start }: Pick<Props, 'start'>) {
  const load = useMemory(memory => memory.load)
  const version = useHost(host => host.memoryVersion)
  useEffect(() => {
    // It goes up with the first greeting and then with every change.
    if (version > 0) void load()
  }, [load, version])
  useEffect(() => {
    // The files may have been changed in an editor, which tells nobody.
    const look = () => void load()
    window.addEventListener('focus', look)
    return () => window.removeEventListener('focus', look)
  }, [load])
  const entryId = useRoute(route => route.entryId)
  useReveal(entryId)
  const roomy = useMedia('(min-width: 75rem)')
  const close = () => {
    go({ page: 'memory' }, 'replace')
    requestAnimationFrame(() => entryId !== null && focusEntry(entryId))
  }

  return (
    <section aria-label={memoryText.title} className="flex min-h-0 flex-1 flex-col">
      <Header start={start} />
      <div className="flex min-h-0 flex-1">
        <div className="flex min-w-0 flex-1 flex-col">
          <Content />
        </div>
        {entryId !== null && roomy && <DetailAside key={entryId} id={entryId} onClose={close} />}
      </div>
      {entryId !== null && !roomy && <DetailDialog key={entryId} id={entryId} onClose={close} />}
    </section>
  )
}

function Content() {
  const tab = useMemory(memory => memory.tab)
  const setTab = useMemory(memory => memory.setTab)
  const archived = useMemory(memory => memory.view?.archived)
  const choose = (tab: Tab) => {
    setTab(tab)
    go({ page: 'memory' }, 'replace')
  }
  return (
    <Tabs
      label={memoryText.tabList}
      tabs={(['user', 'memory', 'archive', 'history'] as const).map(value => ({
        value,
        label: memoryText.tabs[value],
        ...(value === 'archive' && archived ? { count: String(archived) } : {}),
      }))}
      value={tab}
      onChange={choose}
    >
      <div className="column pt-4 pb-8">
        <p className="mb-4 text-sm text-ink-2">{memoryText.about[tab]}</p>
        <Trouble />
        {tab === 'archive' ? (
          <ArchiveTab />
        ) : tab === 'history' ? (
          <HistoryTab />
        ) : (
          <EntriesTab key={tab} target={tab} />
        )}
      </div>
    </Tabs>
  )
}

/** An entry that the address names is brought into sight once, as soon as it is known. */
function useReveal(entryId: string | null) {
  const reveal = useMemory(memory => memory.reveal)
  const entry = useEntry(entryId)
  const known = entry !== undefined
  useEffect(() => {
    if (!entry) return
    reveal(entry)
    requestAnimationFrame(() =>
      document.querySelector(`[data-entry="${CSS.escape(entry.id)}"]`)?.scrollIntoView({ block: 'nearest' }),
    )
    // Only when it is named or found: a change of the entry must not take the person back to it.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [entryId, known, reveal])
}
