import { useState, type ReactNode } from 'react'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { Model } from '../../../shared/contract/model.ts'
import { HostProvider, useLink } from '../../rpc/host-context.tsx'
import { fakeHost, type FakeHost, type FakeHostOptions } from '../../test/fake-host.ts'
import {
  aCatalogueModel,
  aFileModel,
  anEngine,
  aServerModel,
  aTransfer,
  demoModel,
} from '../../test/fake-models.ts'
// For what it does before every test, and for the looks of the window.
import '../../test/show-app.tsx'
import { Toasts } from '../../ui/Toasts.tsx'
import type { SendFile } from './add/send-file.ts'
import { DropModel } from './add/DropModel.tsx'
import { TransferToasts } from './downloads/TransferToasts.tsx'
import { ModelsPage } from './ModelsPage.tsx'
import type { ModelsTab } from './models-state.ts'
import { createModelsStore } from './models-store.ts'

export const GB = 1_000_000_000
export const big = '/home/ada/Downloads/big-8b.gguf'
export const huge = '/mnt/stick/huge-70b.gguf'

/** A model that Talaria fetched, one on a stick that is too big, one that is gone, and a server. */
export function fill({ models, files }: FakeHost): void {
  models.push(
    aFileModel(big, { options: { temperature: 0.7 } }, { owned: true, folder: '~/.talaria/models' }),
    aFileModel(
      huge,
      { sizeBytes: 43 * GB },
      {
        parameters: 70_600_000_000,
        folder: '/mnt/stick',
        parts: 3,
        licence: '',
        architecture: 'llama',
        dialect: { id: 'hermes', name: 'Hermes', from: 'default' },
        vision: 'mmproj-huge.gguf',
      },
    ),
    aFileModel('/home/ada/gone.gguf', { problem: 'The file is not there any more.' }),
    aServerModel('workshop'),
  )
  files.catalogue = {
    asOf: '2026-11-01',
    models: [
      aCatalogueModel('Ant 1B', { parameters: 1_240_000_000, dialect: '', goodAt: 'Short questions.' }),
      aCatalogueModel('Fox 8B', { goodAt: 'Tools and longer texts.', vision: true }),
      aCatalogueModel('Owl 70B', { maker: 'Night Works', goodAt: 'Hard questions.', licence: 'MIT' }),
    ],
    suggested: { light: 'Ant 1B-small', balanced: 'Fox 8B-balanced', best: 'Owl 70B-large' },
  }
  files.engine = {
    ...anEngine,
    benchmarks: [
      {
        modelId: 'builtin',
        modelName: demoModel.name,
        at: Date.now() - 3 * 86_400_000,
        backend: 'cpu',
        threads: 6,
        promptPerSecond: 412.5,
        writePerSecond: 130.1,
      },
    ],
  }
}

/** One transfer of every state. */
export function transfers({ files }: FakeHost): void {
  const { transfer } = files
  transfer(aTransfer({ id: 'run' }))
  transfer(
    aTransfer({ id: 'wait', name: 'Owl-70B.gguf', state: 'waiting', doneBytes: 0, bytesPerSecond: null }),
  )
  transfer(aTransfer({ id: 'rest', name: 'Ant-1B.gguf', state: 'paused', from: 'https://models.example/a' }))
  transfer(
    aTransfer({
      id: 'broke',
      name: 'Elk-3B.gguf',
      state: 'failed',
      error: 'The server has no such file any more.',
      fix: 'Look whether it was moved.',
    }),
  )
  transfer(aTransfer({ id: 'sum', kind: 'copy', name: 'Bee-4B.gguf', state: 'checking', from: '/mnt/stick' }))
  transfer(
    aTransfer({
      id: 'over',
      name: 'big-8b.gguf',
      state: 'done',
      doneBytes: 5 * GB,
      verified: true,
      endedAt: Date.now(),
      modelId: big,
    }),
  )
}

export type Shown = FakeHost & {
  /** What the page told the window. */
  told: { added: Model[]; asked: string[] }
  /** What was sent, by the id of its transfer. */
  sent: { id: string; file: Blob }[]
}

type Options = FakeHostOptions & { tab?: ModelsTab; send?: SendFile }

/** Draw the Models page by itself over a fake host, with the part that takes what is dropped. */
export async function showModels(
  prepare: (host: FakeHost) => void = fill,
  { tab, send, ...options }: Options = {},
): Promise<Shown> {
  const host = fakeHost(options)
  prepare(host)
  const told: Shown['told'] = { added: [], asked: [] }
  const sent: Shown['sent'] = []
  const put: SendFile = async (id, file) => {
    sent.push({ id, file })
    return send ? send(id, file) : true
  }
  await render(
    <HostProvider link={host.link}>
      <Page tab={tab} put={put} told={told} />
      <Toasts label="Messages" closeLabel="Close message" />
    </HostProvider>,
  )
  return Object.assign(host, { told, sent })
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
  const link = useLink()
  const [store] = useState(() => createModelsStore(link, put))
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
        store={store}
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

/** The button that opens everything about a model; its name begins with that of the model. */
export const details = (name: string) =>
  page.getByRole('button', { name: new RegExp(`^${escaped(name)}`, 'u') })
export const card = (name: string) => page.getByRole('listitem').filter({ has: details(name) })

/** What the page asked under a name, in order. */
export const asked = (host: FakeHost, name: string) =>
  host.asked.filter(each => each.name === name).map(each => each.input)

/** Drop files on an element as a browser does; `folders` are the names among them that are folders. */
export function drop(on: Element, ...files: File[]): DataTransfer {
  const dataTransfer = new DataTransfer()
  for (const file of files) dataTransfer.items.add(file)
  for (const type of ['dragenter', 'dragover', 'drop'])
    on.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }))
  return dataTransfer
}
