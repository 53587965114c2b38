import { FilePlus2, Plus, ScanSearch, Server, Users } from 'lucide-react'
import { useEffect, useMemo, useState, type ReactNode } from 'react'
import type { StoreApi } from 'zustand'
import type { Model } from '../../../shared/contract/model.ts'
import { useHost } from '../../rpc/host-context.tsx'
import { incomingShare } from '../../rpc/host-state.ts'
import { Banner } from '../../ui/Banner.tsx'
import { formatShare } from '../../ui/format.ts'
import { Menu, type MenuEntry } from '../../ui/Menu.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { ScanDialog } from './add/AddFound.tsx'
import { DiscoverTab } from './discover/DiscoverTab.tsx'
import { DownloadsTab } from './downloads/DownloadsTab.tsx'
import { EngineTab } from './engine/EngineTab.tsx'
import { MixtureDialog } from './mixtures/MixtureForm.tsx'
import { ModelsContext, useInMemory, useModels, useModelsPage } from './use-models.ts'
import { showsFit, modelsTab, modelsTabs, type ModelsTab } from './models-state.ts'
import { fitHow, type ModelsStore } from './models-store.ts'
import { ModelCard } from './installed/ModelCard.tsx'

const ABOUT = {
  installed: 'What can answer in a chat: model files on this computer, and servers.',
  discover: 'Open models that run on your own computer. You choose one, Talaria downloads it.',
  downloads: 'Model files on their way into Talaria’s folder. They can resume after a restart.',
  engine: 'What runs the model files on this computer.',
} as const

const TABS = {
  installed: 'Installed',
  discover: 'Discover',
  downloads: 'Downloads',
  engine: 'Engine',
} as const

type Props = {
  store: StoreApi<ModelsStore>
  /** Content at the start of the header. */
  start?: ReactNode
  /** The tab named in the URL. When it is absent, the page keeps the tab in its own state. */
  tab?: string | null
  /** Called when the user chooses another tab. */
  onTab?: (tab: ModelsTab) => void
  /** Open the dialog that adds a file or a server. */
  onAdd?: (how: 'file' | 'server') => void
  /** Start a new chat with a model. */
  onChat?: (model: Model) => void
  /** Open the engine settings. */
  onSettings?: () => void
}

/** The Models page: installed models, the catalogue, downloads and the engine. */
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
    <section aria-label="Models" className="flex min-h-0 flex-1 flex-col">
      <Header start={start} />
      <Tabs
        label="Parts of the Models page"
        tabs={modelsTabs.map(value => ({
          value,
          label: TABS[value],
          ...(value === 'downloads' && incoming !== undefined ? { count: incoming } : {}),
        }))}
        value={tab}
        onChange={show}
      >
        <div className="column models-column pt-4 pb-8">
          <p className="mb-4 text-sm text-ink-2">{ABOUT[tab]}</p>
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
  const [mixes, setMixes] = useState(false)
  const entries: MenuEntry[] = [
    {
      id: 'scan',
      label: 'Look in other programs…',
      hint: 'LM Studio, Jan, GPT4All and Ollama',
      icon: <ScanSearch size={15} />,
      onSelect: () => setScans(true),
    },
    {
      id: 'mixture',
      label: 'A mixture of models…',
      hint: 'Some advise, one answers',
      icon: <Users size={15} />,
      onSelect: () => setMixes(true),
    },
  ]
  if (onAdd) {
    entries.unshift(
      {
        id: 'file',
        label: 'A model file…',
        icon: <FilePlus2 size={15} />,
        onSelect: () => onAdd('file'),
      },
      {
        id: 'server',
        label: 'A server…',
        icon: <Server size={15} />,
        onSelect: () => onAdd('server'),
      },
    )
  }
  return (
    <header className="chat-header">
      {start}
      <h1 className="min-w-0 flex-1 truncate px-2 text-sm font-semibold">Models</h1>
      <Menu
        label="Add"
        align="end"
        entries={entries}
        renderButton={props => (
          <button type="button" className="btn btn-secondary" {...props}>
            <Plus size={16} />
            Add
          </button>
        )}
      />
      {mixes && <MixtureDialog onClose={() => setMixes(false)} />}
      {scans && <ScanDialog onClose={() => setScans(false)} />}
    </header>
  )
}

/** Reads the machine facts on connect, and again when free memory may have changed. */
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
              Try again
            </button>
          }
        >
          This could not be read: {said}
        </Banner>
      )}
    </div>
  )
}

/** All installed models with their details. */
function InstalledTab(): ReactNode {
  useFits()
  const models = useHost(host => host.models)
  const { show } = useModelsPage()
  const onlyDemo = models.every(model => model.demo)
  return (
    <>
      <ul aria-label="Models" className="grid grid-cols-[minmax(0,1fr)] gap-2">
        {models.map(model => (
          <ModelCard key={model.id} model={model} />
        ))}
      </ul>
      {onlyDemo && (
        <div className="mt-4 grid justify-items-start gap-2 text-sm text-ink-2">
          <p>Only the small demo model is here. Real work needs a bigger one.</p>
          <button type="button" className="btn btn-primary" onClick={() => show('discover')}>
            Find a model
          </button>
        </div>
      )}
      <p className="mt-4 text-xs text-ink-3">A .gguf file can be dropped anywhere on this window.</p>
    </>
  )
}

/** Reloads the fits when the model list or the loaded model changes, and when a graphics card was looked for. */
function useFits() {
  const loadFits = useModels(models => models.loadFits)
  const now = useModels(models => fitHow(models).now)
  const models = useHost(host => host.models)
  const inMemory = useInMemory()
  useEffect(() => {
    if (inMemory === undefined) return
    const asked = models.filter(showsFit).map(model => model.id)
    void loadFits(asked, now ? { now } : {})
  }, [loadFits, models, inMemory, now])
}
