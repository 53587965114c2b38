import { FilePlus2, Plus, ScanSearch, Server, Users } from 'lucide-react'
import { useEffect, useMemo, useState, type ReactNode } from 'react'
import type { StoreApi } from 'zustand'
import type { Model } from '../../../shared/contract/models/model.ts'
import { useAnswers, useHost } from '../../rpc/host-context.tsx'
import { useTransfers } from '../../rpc/use-lists.ts'
import { incomingShare } from '../../rpc/host-state.ts'
import { useAnswer, useLastValue } from '../../rpc/use-answer.ts'
import { Banner } from '../../ui/Banner.tsx'
import { formatShare } from '../../ui/text/format-values.ts'
import { Menu, type MenuEntry } from '../../ui/Menu.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { ScanDialog } from './add/AddFound.tsx'
import { DiscoverTab } from './discover/DiscoverTab.tsx'
import { DownloadsTab } from './downloads/DownloadsTab.tsx'
import { EngineTab } from './engine/EngineTab.tsx'
import { MixtureDialog } from './mixtures/MixtureForm.tsx'
import { ModelsContext, useModels, useModelsPage, type ModelsStore } from './use-models.ts'
import { modelsTab, modelsTabs, type ModelsTab } from './models-state.ts'
import { ModelCard } from './installed/ModelCard.tsx'

const ABOUT = {
  installed: 'The models that can answer in a chat: files on this computer, and models on servers.',
  discover: 'Open models that run on your own computer. Choose one, and Talaria downloads it.',
  downloads: 'Model files on their way into Talaria’s folder. They can resume after a restart.',
  engine: 'The engine that runs model files on this computer.',
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
  const looked = useAnswer('machine.look', {})
  const machine = useLastValue(looked?.ok ? looked.value : undefined)
  const isLooking = looked === undefined
  const context = useMemo(() => {
    const show = (tab: ModelsTab) => {
      store.getState().show(tab)
      onTab?.(tab)
    }
    return { store, show, onAdd, onChat, machine, fitHow: isLooking ? { now: true as const } : {} }
  }, [store, machine, isLooking, onTab, onAdd, onChat])
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
  const { show } = useModelsPage()
  const kept = useModels(models => models.tab)
  const tab = named ?? kept
  const share = incomingShare(useTransfers())
  return (
    <section aria-label="Models" className="flex min-h-0 flex-1 flex-col">
      <Header start={start} />
      <Tabs
        label="Parts of the Models page"
        tabs={modelsTabs.map(value => ({
          value,
          label: TABS[value],
          ...(value === 'downloads' && share !== null ? { count: formatShare(share) } : {}),
        }))}
        value={tab}
        onChange={show}
      >
        <div className="column models-column pt-4 pb-8">
          <p className="mb-4 text-sm text-ink-2">{ABOUT[tab]}</p>
          <Trouble tab={tab} />
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
      icon: <ScanSearch size={16} />,
      onSelect: () => setScans(true),
    },
    {
      id: 'mixture',
      label: 'A mixture of models…',
      hint: 'Some advise, one answers',
      icon: <Users size={16} />,
      onSelect: () => setMixes(true),
    },
  ]
  if (onAdd) {
    entries.unshift(
      {
        id: 'file',
        label: 'A model file…',
        icon: <FilePlus2 size={16} />,
        onSelect: () => onAdd('file'),
      },
      {
        id: 'server',
        label: 'A server…',
        icon: <Server size={16} />,
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

/** The error if the content of this tab could not be read. */
function Trouble({ tab }: { tab: ModelsTab }) {
  const { renew } = useAnswers()
  const machine = useAnswer('machine.look', {}, { isTold: true })
  const catalogue = useAnswer('catalogue.list', {}, { isTold: true, isOff: tab !== 'discover' })
  const engine = useAnswer('engine.info', {}, { isTold: true, isOff: tab !== 'engine' })
  const read = [machine, tab === 'discover' && catalogue, tab === 'engine' && engine]
  const said = [...new Set(read.flatMap(each => (each && !each.ok ? [each.fault.message] : [])))].join(' ')
  return (
    <div role="alert" className="notice-stack">
      {said !== '' && (
        <Banner
          level="error"
          actions={
            <button type="button" className="btn btn-secondary" onClick={() => void renew(['engine'])}>
              Try again
            </button>
          }
        >
          {`This could not be read: ${said}`}
        </Banner>
      )}
    </div>
  )
}

/** All installed models with their details. */
function InstalledTab(): ReactNode {
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
