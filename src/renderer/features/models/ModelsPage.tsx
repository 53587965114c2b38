import { FilePlus2, Plus, ScanSearch, Server } from 'lucide-react'
import { useEffect, useMemo, useState, type ReactNode } from 'react'
import type { StoreApi } from 'zustand'
import type { Model } from '../../../shared/contract/model.ts'
import { useHost } from '../../rpc/host-context.tsx'
import { incomingShare } from '../../rpc/incoming.ts'
import { Banner } from '../../ui/Banner.tsx'
import { formatShare } from '../../ui/format.ts'
import { Menu, type MenuEntry } from '../../ui/Menu.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { ScanDialog } from './add/ScanDialog.tsx'
import { DiscoverTab } from './discover/DiscoverTab.tsx'
import { DownloadsTab } from './downloads/DownloadsTab.tsx'
import { EngineTab } from './engine/EngineTab.tsx'
import { InstalledTab } from './installed/InstalledTab.tsx'
import { ModelsContext, useInMemory, useModels, useModelsPage } from './models-context.ts'
import { modelsTab, modelsTabs, type ModelsTab } from './models-state.ts'
import type { ModelsStore } from './models-store.ts'
import { pageText } from './page-strings.ts'

type Props = {
  store: StoreApi<ModelsStore>
  /** Stands at the start of the header. */
  start?: ReactNode
  /** The side that the address names; without it, the page keeps it itself. */
  tab?: string | null
  /** Told of every other side that is chosen. */
  onTab?: (tab: ModelsTab) => void
  /** Open the dialog that adds a file or a server. */
  onAdd?: (how: 'file' | 'server') => void
  /** Begin a new chat with a model. */
  onChat?: (model: Model) => void
  /** Show the settings of the engine. */
  onSettings?: () => void
}

/** The models at hand, those that can be had, those that are on their way, and what runs them. */
export function ModelsPage({ store, start, tab, onTab, onAdd, onChat, onSettings }: Props): ReactNode {
  const named = modelsTab(tab)
  const context = useMemo(() => {
    const show = (tab: ModelsTab) => {
      store.getState().show(tab)
      onTab?.(tab)
    }
    return { store, show, onAdd, onChat }
  }, [store, onTab, onAdd, onChat])
  useEffect(() => {
    if (named) store.getState().show(named)
  }, [store, named])
  return (
    <ModelsContext value={context}>
      <Page start={start} named={named} onSettings={onSettings} />
    </ModelsContext>
  )
}

type PageProps = Pick<Props, 'start'> & {
  named: ModelsTab | undefined
  onSettings: (() => void) | undefined
}

function Page({ start, named, onSettings }: PageProps) {
  useFresh()
  const { show } = useModelsPage()
  const kept = useModels(models => models.tab)
  const tab = named ?? kept
  const incoming = useHost(host => {
    const share = incomingShare(host.transfers)
    return share === null ? undefined : formatShare(share)
  })
  return (
    <section aria-label={pageText.title} className="flex min-h-0 flex-1 flex-col">
      <Header start={start} />
      <Tabs
        label={pageText.tabList}
        tabs={modelsTabs.map(value => ({
          value,
          label: pageText.tabs[value],
          ...(value === 'downloads' && incoming !== undefined ? { count: incoming } : {}),
        }))}
        value={tab}
        onChange={show}
      >
        <div className="column models-column pt-4 pb-8">
          <p className="mb-4 text-sm text-ink-2">{pageText.about[tab]}</p>
          <Trouble />
          {tab === 'installed' && <InstalledTab />}
          {tab === 'discover' && <DiscoverTab />}
          {tab === 'downloads' && <DownloadsTab />}
          {tab === 'engine' && <EngineTab onSettings={onSettings} />}
        </div>
      </Tabs>
    </section>
  )
}

function Header({ start }: Pick<Props, 'start'>) {
  const { onAdd } = useModelsPage()
  const [scans, setScans] = useState(false)
  const entries: MenuEntry[] = [
    {
      id: 'scan',
      label: pageText.scan,
      hint: pageText.scanHint,
      icon: <ScanSearch size={15} />,
      onSelect: () => setScans(true),
    },
  ]
  if (onAdd) {
    entries.unshift(
      {
        id: 'file',
        label: pageText.addFile,
        icon: <FilePlus2 size={15} />,
        onSelect: () => onAdd('file'),
      },
      {
        id: 'server',
        label: pageText.addServer,
        icon: <Server size={15} />,
        onSelect: () => onAdd('server'),
      },
    )
  }
  return (
    <header className="chat-header">
      {start}
      <h1 className="min-w-0 flex-1 truncate px-2 text-sm font-semibold">{pageText.title}</h1>
      <Menu
        label={pageText.add}
        align="end"
        entries={entries}
        renderButton={props => (
          <button type="button" className="btn btn-secondary" {...props}>
            <Plus size={16} />
            {pageText.add}
          </button>
        )}
      />
      {scans && <ScanDialog onClose={() => setScans(false)} />}
    </header>
  )
}

/** The computer is looked at with the first greeting, and again when the memory it has left may have changed. */
function useFresh() {
  const loadMachine = useModels(models => models.loadMachine)
  const inMemory = useInMemory()
  useEffect(() => {
    if (inMemory !== undefined) void loadMachine()
  }, [inMemory, loadMachine])
}

function Trouble() {
  const problems = useModels(models => models.problems)
  const { loadMachine, loadCatalogue, loadEngine } = useModelsPage().store.getState()
  const again = () => {
    if (problems.machine !== undefined) void loadMachine()
    if (problems.catalogue !== undefined) void loadCatalogue()
    if (problems.engine !== undefined) void loadEngine()
  }
  const said = [...new Set(Object.values(problems))].join(' ')
  return (
    <div role="alert" className="notice-stack">
      {said !== '' && (
        <Banner
          level="error"
          actions={
            <button type="button" className="btn btn-secondary" onClick={again}>
              {pageText.retry}
            </button>
          }
        >
          {pageText.loadFailed(said)}
        </Banner>
      )}
    </div>
  )
}
