import { useEffect, useMemo, type ReactNode } from 'react'
import type { StoreApi } from 'zustand'
import { goTo, useRoute } from '../../route.ts'
import { useAnswer, useLastValue } from '../../rpc/use-answer.ts'
import { Tabs } from '../../ui/Tabs.tsx'
import { useMedia } from '../../ui/style.ts'
import { ArchiveTab } from './ArchiveTab.tsx'
import { EntryAside, EntryDialog } from './entries/EntryDetail.tsx'
import { EntriesTab } from './entries/EntriesTab.tsx'
import { MemoryHeader } from './MemoryHeader.tsx'
import { MemoryHistoryTab } from './MemoryHistoryTab.tsx'
import { MemoryContext, useEntry, useMemory, useView } from './use-memory.ts'
import type { Tab } from './memory-state.ts'
import type { MemoryStore } from './memory-store.ts'
import { focusEntry } from './entries/entry-focus.ts'
import { MemoryTrouble } from './trouble/MemoryTrouble.tsx'

const tabNames = { user: 'About you', memory: 'Notes', archive: 'Archive', history: 'History' }
const tabAbout = {
  user: 'What Talaria knows about you. New chats start with it.',
  memory: 'What the agent noted for its work, for all folders or for one.',
  archive: 'Entries that chats no longer use. You can restore them at any time.',
  history: 'Every change, newest first. You can undo each one.',
}

type Props = {
  store: StoreApi<MemoryStore>
  /** Rendered at the start of the header. */
  start?: ReactNode
}

/** All memory entries: view, edit and undo. */
export function MemoryPage({ store, start }: Props): ReactNode {
  const answer = useAnswer('memory.view', {})
  const view = useLastValue(answer?.ok ? answer.value : undefined)
  const problem = answer?.ok === false ? answer.fault.message : null
  useEffect(() => {
    if (view) store.getState().follow(view)
  }, [store, view])
  return (
    <MemoryContext value={useMemo(() => ({ store, view, problem }), [store, view, problem])}>
      <Page start={start} />
    </MemoryContext>
  )
}

function Page({ start }: Pick<Props, 'start'>) {
  const entryId = useRoute(route => route.entryId)
  useReveal(entryId)
  const roomy = useMedia('(min-width: 75rem)')
  const close = () => {
    goTo({ page: 'memory' }, 'replace')
    requestAnimationFrame(() => entryId !== null && focusEntry(entryId))
  }

  return (
    <section aria-label="Memory" className="flex min-h-0 flex-1 flex-col">
      <MemoryHeader start={start} />
      <div className="flex min-h-0 flex-1">
        <div className="flex min-w-0 flex-1 flex-col">
          <Content />
        </div>
        {entryId !== null && roomy && <EntryAside key={entryId} id={entryId} onClose={close} />}
      </div>
      {entryId !== null && !roomy && <EntryDialog key={entryId} id={entryId} onClose={close} />}
    </section>
  )
}

function Content() {
  const tab = useMemory(memory => memory.tab)
  const setTab = useMemory(memory => memory.setTab)
  const archived = useView()?.archived
  const choose = (tab: Tab) => {
    setTab(tab)
    goTo({ page: 'memory' }, 'replace')
  }
  return (
    <Tabs
      label="Parts of the memory"
      tabs={(['user', 'memory', 'archive', 'history'] as const).map(value => ({
        value,
        label: tabNames[value],
        ...(value === 'archive' && archived ? { count: String(archived) } : {}),
      }))}
      value={tab}
      onChange={choose}
    >
      <div className="column pt-4 pb-8">
        <p className="mb-4 text-sm text-ink-2">{tabAbout[tab]}</p>
        <MemoryTrouble />
        {tab === 'archive' ? (
          <ArchiveTab />
        ) : tab === 'history' ? (
          <MemoryHistoryTab />
        ) : (
          <EntriesTab key={tab} target={tab} />
        )}
      </div>
    </Tabs>
  )
}

/** Reveal the entry named in the URL once, as soon as it is loaded. */
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
    // Run only when the id or its presence changes: an edit of the entry must not scroll back to it.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [entryId, known, reveal])
}
