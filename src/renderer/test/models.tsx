import { useState, type ReactNode } from 'react'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { Model } from '../../shared/contract/models/model.ts'
import type { Transfer } from '../../shared/contract/models/download.ts'
import { HostProvider } from '../rpc/host-context.tsx'
import { anEngine, aTransfer, GB, runOn, tellTransfers, type Computer } from './a-computer.ts'
import { startHost } from './show-window.tsx'
import type { PreparedHost, TestHost, TestHostOptions } from './test-host.ts'
import { Toasts } from '../ui/Toasts.tsx'
import { createModelsStore } from '../features/models/use-models.ts'
import { DropModel } from '../features/models/add/DropModel.tsx'
import { TransferToasts } from '../features/models/downloads/DownloadsTab.tsx'
import { ModelsPage } from '../features/models/ModelsPage.tsx'
import type { ModelsTab } from '../features/models/models-state.ts'
import { type SendFile } from '../rpc/page-token.ts'

const bigFile = 'models/big-8b.gguf'
const hugeFile = 'stick/huge-70b-00001-of-00003.gguf'

/** A model in Talaria’s folder, one on a USB stick that is too big, a missing one, and the test server. */
export function fill({ seed }: PreparedHost): void {
  void seed.modelFile({ home: bigFile })
  void seed.modelFile({
    workspace: hugeFile,
    sizeBytes: 43 * GB,
    parameters: 70_600_000_000,
    architecture: 'llama',
    licence: '',
  })
  void seed.workspaceFiles({ 'stick/mmproj-huge-70b.gguf': '' })
  void seed.servedModels([{ id: 'qwen3-8b', owned_by: 'llamacpp' }, { id: 'other' }])
}
const files = {
  default: 'builtin',
  files: [`$workspace/${hugeFile}`, '$workspace/gone.gguf'],
  options: { [`file:$home/${bigFile}`]: { temperature: 0.7 } },
}

/** Only the bundled model. */
export const onlyDemo = { models: { default: 'builtin', servers: [] } }

/** A speed measurement from three days ago. */
const measured = {
  ...anEngine,
  benchmarks: [
    {
      modelId: 'builtin',
      modelName: 'Built-in demo model',
      at: Date.now() - 3 * 86_400_000,
      backend: 'cpu',
      threads: 6,
      promptPerSecond: 412.5,
      writePerSecond: 130.1,
    },
  ],
}

/** A transfer in each state. */
export const everyState = (): Transfer[] => [
  aTransfer({ id: 'run' }),
  aTransfer({ id: 'wait', name: 'Owl-70B.gguf', state: 'waiting', doneBytes: 0, bytesPerSecond: null }),
  aTransfer({ id: 'rest', name: 'Ant-1B.gguf', state: 'paused', from: 'https://models.example/a' }),
  aTransfer({
    id: 'broke',
    name: 'Elk-3B.gguf',
    state: 'failed',
    error: 'models.example has no file at this address.',
    fix: 'Check the address, or choose another file.',
  }),
  aTransfer({ id: 'sum', kind: 'copy', name: 'Bee-4B.gguf', state: 'checking', from: '/mnt/stick' }),
  aTransfer({
    id: 'over',
    name: 'big-8b.gguf',
    state: 'done',
    doneBytes: 5 * GB,
    verified: true,
    endedAt: Date.now(),
  }),
]

export type Shown = TestHost & {
  big: string
  huge: string
  /** The fake computer. */
  computer: Computer
  /** Publish a fake transfer to the window. */
  transfer: ReturnType<typeof tellTransfers>
  /** Callbacks from the page to the window, recorded. */
  told: { added: Model[]; asked: string[] }
  /** Uploaded files, by transfer id. */
  sent: { id: string; file: Blob }[]
}

type Options = TestHostOptions & {
  tab?: ModelsTab
  send?: (id: string, host: Shown) => Promise<boolean>
  computer?: Partial<Computer>
  /** Fake transfers that replace the real ones. */
  transfers?: Transfer[]
  /** Setup on the running host before the page renders. */
  begun?: (host: Shown) => Promise<unknown>
}

/** Render only the Models page with a real host, including the drop zone. */
export async function showModels(
  prepare: (host: PreparedHost) => void = fill,
  { tab, send, computer, transfers, begun, config, ...options }: Options = {},
): Promise<Shown> {
  const host = await startHost(prepare, {
    ...options,
    config: { models: files, engine: { gpu: 'off' }, ...config },
  })
  const shown: Shown = {
    ...host,
    big: `file:${bigFile}`,
    huge: `file:${host.workspace}/${hugeFile}`,
    computer: runOn(host, { engine: measured, ...computer }),
    transfer: given => {
      throw new Error(`The real host knows of ${given.id}.`)
    },
    told: { added: [], asked: [] },
    sent: [],
  }
  if (transfers) shown.transfer = tellTransfers(host, transfers)
  await begun?.(shown)
  const put: SendFile = async (id, file) => {
    shown.sent.push({ id, file })
    return send ? send(id, shown) : true
  }
  await render(
    <HostProvider link={host.link}>
      <Page tab={tab} put={put} told={shown.told} />
      <Toasts label="What just happened" closeLabel="Close message" />
    </HostProvider>,
  )
  return shown
}

function Page({
  tab,
  put,
  told,
}: {
  tab: ModelsTab | undefined
  put: SendFile
  told: Shown['told']
}): ReactNode {
  const [store] = useState(() => createModelsStore())
  const [shown, setShown] = useState(tab)
  return (
    <main className="flex h-dvh flex-col">
      <ModelsPage
        store={store}
        {...(shown === undefined ? {} : { tab: shown, onTab: setShown })}
        onAdd={how => told.asked.push(`add ${how}`)}
        onChat={model => told.asked.push(`chat ${model.name}`)}
        onSettings={() => told.asked.push('settings')}
      />
      <TransferToasts onShow={tab => told.asked.push(`show ${tab}`)} />
      <DropModel
        put={put}
        onAdded={model => told.added.push(model)}
        onShow={tab => {
          told.asked.push(`show ${tab}`)
          setShown(tab)
        }}
      />
    </main>
  )
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`)

/** The button that opens a model's details; its name starts with the model's name. */
export const details = (name: string) =>
  page.getByRole('button', { name: new RegExp(`^${escaped(name)}`, 'u') })
export const card = (name: string) => page.getByRole('listitem').filter({ has: details(name) })

/** The requests of the page with this name, in order. */
export const asked = (host: Pick<TestHost, 'asked'>, name: string) =>
  host.asked.filter(each => each.name === name).map(each => each.input)

/** Drop files on an element as a browser does; `folders` names those that are folders. */
export function drop(on: Element, ...files: File[]): DataTransfer {
  const dataTransfer = new DataTransfer()
  for (const file of files) dataTransfer.items.add(file)
  for (const type of ['dragenter', 'dragover', 'drop'])
    on.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }))
  return dataTransfer
}
