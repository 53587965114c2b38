import type { AppEvent } from '../../shared/contract/app.ts'
import type { EngineInfo, EngineState, Fit, FoundFile, Machine } from '../../shared/contract/models/model.ts'
import type { Transfer } from '../../shared/contract/models/download.ts'
import { initialHostState } from '../rpc/host-state.ts'
import type { TestHost } from './test-host.ts'

// Fakes for what varies between test machines: memory, speed and graphics card.

export const GB = 1_000_000_000

export const aMachine: Machine = {
  cpu: 'Ryzen 7 5800U',
  cores: 8,
  instructions: ['AVX2'],
  totalBytes: 16 * GB,
  freeBytes: 11 * GB,
  diskFreeBytes: 120 * GB,
  modelsFolder: '/home/ada/.talaria/models',
  gpu: null,
  words: 'Models up to about 8 GB run well on this computer.',
  comfortableBytes: 8 * GB,
}

export const anEngine: EngineInfo = {
  library: 'node-llama-cpp 3.14',
  backend: 'cpu',
  devices: [],
  installed: ['cpu'],
  threads: 6,
  idleUnloadMinutes: 15,
  benchmarks: [],
  diagnostics: 'Talaria 0.1.0\nlinux x64',
  formats: [
    { id: 'hermes', name: 'Hermes' },
    { id: 'mistral', name: 'Mistral' },
  ],
}

/** The fit of a model on a computer with 16 GB of memory, 5 GB of it in use. */
export function aFit(sizeBytes: number, contextTokens: number, given: Partial<Fit> = {}): Fit {
  const perToken = 131_072
  const [buffersBytes, processBytes, totalBytes, othersBytes] = [0.3 * GB, 0.15 * GB, 16 * GB, 5 * GB]
  const contextBytes = contextTokens * perToken
  const neededBytes = sizeBytes + contextBytes + buffersBytes + processBytes
  const availableBytes = totalBytes - othersBytes
  const missingBytes = Math.max(0, neededBytes - availableBytes)
  return {
    label: missingBytes > 0 ? 'too_big' : 'memory',
    contextTokens,
    chats: 2,
    mostContextTokens: Math.max(0, Math.floor((availableBytes - neededBytes + contextBytes) / perToken)),
    weightsBytes: sizeBytes,
    contextBytes,
    buffersBytes,
    processBytes,
    neededBytes,
    totalBytes,
    othersBytes,
    freedBytes: 0,
    availableBytes,
    missingBytes,
    uncertain: '',
    ...given,
  }
}

/** A download in progress, as on a slow network. */
export const aTransfer = (given: Partial<Transfer> = {}): Transfer => ({
  id: 'transfer-1',
  kind: 'download',
  name: 'Qwen3-8B-Q4_K_M.gguf',
  from: 'https://models.example/qwen3-8b-q4_k_m.gguf',
  state: 'running',
  doneBytes: 2.1 * GB,
  totalBytes: 5 * GB,
  bytesPerSecond: 12_000_000,
  secondsLeft: 242,
  error: '',
  fix: '',
  verified: false,
  startedAt: Date.now() - 180_000,
  endedAt: null,
  modelId: null,
  ...given,
})

/** An engine state that takes minutes to reach with a real model. */
export const engineEvent = (state: Partial<EngineState>): AppEvent => ({
  type: 'engine',
  engine: { ...initialHostState.engine, ...state },
})

/** The text of a fit that did not wait for the search for a graphics card. */
export const stillLooking = 'Talaria is still looking for a graphics card. These figures are without one.'

export type Computer = {
  machine: Machine
  engine: EngineInfo
  fit: (sizeBytes: number, contextTokens: number, id: string) => Fit
  suggested: { light: string; balanced: string; best: string }
}

/**
 * Run a host on a fake computer. The fake answers requests for fit and speed, and model loads do
 * nothing. Catalogue files come from the test server, under their ids.
 */
export function runOn(host: TestHost, given: Partial<Computer> = {}): Computer {
  const { elsewhere } = host
  const suggested = { light: 'llama-3.2-3b-q4-k-m', balanced: 'qwen3-8b-q4-k-m', best: 'qwen3-14b-q6-k' }
  const here: Computer = {
    machine: aMachine,
    engine: anEngine,
    fit: (size, tokens) => aFit(size, tokens),
    suggested,
    ...given,
  }
  const usual = 8_192
  const fitted = (file: FoundFile) => ({
    ...file,
    fit: file.fit && here.fit(file.sizeBytes, usual, file.path),
  })
  host.answer({
    'machine.look': () => here.machine,
    'engine.info': () => here.engine,
    'engine.benchmark'({ id }) {
      const measured = { modelId: id, modelName: 'big-8b', at: Date.now(), backend: 'cpu', threads: 6 }
      const benchmark = { ...measured, promptPerSecond: 84.2, writePerSecond: 11.6 }
      here.engine = { ...here.engine, benchmarks: [benchmark, ...here.engine.benchmarks] }
      return benchmark
    },
    'model.load': () => ({}),
    async 'model.fit'({ id, contextTokens, now }) {
      const { models } = await elsewhere['model.list']({})
      const model = models.find(each => each.id === id)
      const fit = here.fit(model?.sizeBytes ?? 0, contextTokens ?? model?.options.contextTokens ?? usual, id)
      return now ? { ...fit, uncertain: stillLooking } : fit
    },
    async 'model.look'(input) {
      const { files } = await elsewhere['model.look'](input)
      return { files: files.map(fitted) }
    },
    async 'catalogue.list'() {
      const catalogue = await elsewhere['catalogue.list']({})
      const models = catalogue.models.map(model => ({
        ...model,
        files: model.files.map(file => ({
          ...file,
          address: addressOf(host, file.id),
          fit: here.fit(file.sizeBytes, usual, file.id),
        })),
      }))
      return { ...catalogue, models, suggested: here.suggested }
    },
    'download.start': wish =>
      elsewhere['download.start'](
        'catalogueId' in wish ? { address: addressOf(host, wish.catalogueId) } : wish,
      ),
  })
  return here
}

/** The URL of a catalogue file in a test. */
export const addressOf = ({ filesUrl }: TestHost, catalogueId: string): string =>
  `${filesUrl}/${catalogueId}.gguf`

/** Publish fake transfers to a window. Later calls update the transfer with the same id. */
export function tellTransfers(host: TestHost, list: readonly Transfer[]) {
  const all = new Map(list.map(transfer => [transfer.id, transfer]))
  host.answer({ 'download.list': () => ({ transfers: [...all.values()] }) })
  return (given: Partial<Transfer> & { id: string }) => {
    all.set(given.id, { ...(all.get(given.id) ?? aTransfer()), ...given })
    host.publish({ type: 'transfers', transfers: [...all.values()] })
  }
}
