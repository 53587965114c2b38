import type { HostClient } from '../../shared/contract/index.ts'
import type {
  EngineInfo,
  Fit,
  FoundFile,
  Machine,
  Model,
  ModelFile,
  ServerCheck,
} from '../../shared/contract/model.ts'
import type { CatalogueFile, CatalogueModel, Transfer } from '../../shared/contract/transfers.ts'
import { Fault } from '../../shared/rpc.ts'

const GB = 1_000_000_000

export const demoModel: Model = {
  id: 'builtin',
  name: 'Built-in demo model',
  kind: 'builtin',
  detail: '',
  sizeBytes: 3_756_864,
  contextTokens: 1_024,
  demo: true,
  problem: null,
  file: null,
  server: null,
  options: {},
}

export const aModelFile = (given: Partial<ModelFile> = {}): ModelFile => ({
  path: '/home/ada/Downloads/big.gguf',
  folder: '~/Downloads',
  owned: false,
  parts: 1,
  architecture: 'qwen3',
  parameters: 8_200_000_000,
  quantisation: 'Q4_K_M',
  bitsPerWeight: 4.85,
  trainedTokens: 40_960,
  licence: 'apache-2.0',
  hasTemplate: true,
  dialect: { id: 'hermes', name: 'Hermes', from: 'template' },
  vision: '',
  ...given,
})

/** A model of a file; its id is the path, as in the real host. */
export function aFileModel(path: string, given: Partial<Model> = {}, file: Partial<ModelFile> = {}): Model {
  return {
    ...demoModel,
    id: path,
    name: path.split('/').at(-1) ?? path,
    kind: 'file',
    demo: false,
    sizeBytes: 5 * GB,
    contextTokens: 40_960,
    file: aModelFile({ path, ...file }),
    ...given,
  }
}

export const aServerModel = (name: string, given: Partial<Model> = {}): Model => ({
  ...demoModel,
  id: name,
  name,
  kind: 'server',
  detail: 'http://127.0.0.1:8080/v1',
  demo: false,
  sizeBytes: null,
  contextTokens: 32_768,
  server: {
    serverId: name,
    protocol: 'openai',
    baseUrl: 'http://127.0.0.1:8080/v1',
    model: 'big',
    nearby: true,
    key: 'none',
  },
  ...given,
})

export const aFoundFile = (path: string, given: Partial<FoundFile> = {}): FoundFile => ({
  path,
  name: path.split('/').at(-1) ?? path,
  sizeBytes: 5 * GB,
  parts: 1,
  app: '',
  knownAs: null,
  copyOf: null,
  problem: null,
  file: aModelFile({ path }),
  fit: aFit(5 * GB, 8_192),
  ...given,
})

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
  dialects: [
    { id: 'hermes', name: 'Hermes' },
    { id: 'mistral', name: 'Mistral' },
  ],
}

/** What a model of that size needs on a computer with 16 GB, of which others use five. */
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

export const aCatalogueFile = (id: string, given: Partial<CatalogueFile> = {}): CatalogueFile => ({
  id,
  size: 'balanced',
  quantisation: 'Q4_K_M',
  sizeBytes: 5 * GB,
  address: `https://models.example/${id}.gguf`,
  sha256: '',
  fit: aFit(given.sizeBytes ?? 5 * GB, 8_192),
  modelId: null,
  ...given,
})

/** An open model in three sizes, the large one too big for the computer of the fake. */
export const aCatalogueModel = (id: string, given: Partial<CatalogueModel> = {}): CatalogueModel => ({
  id,
  name: id,
  maker: 'Example Labs',
  parameters: 8_200_000_000,
  goodAt: 'Everyday questions and tools.',
  licence: 'Apache 2.0',
  licenceUrl: 'https://models.example/licence',
  contextTokens: 40_960,
  dialect: 'hermes',
  vision: false,
  activeShare: 1,
  files: [
    aCatalogueFile(`${id}-small`, { size: 'small', quantisation: 'Q3_K_M', sizeBytes: 4 * GB }),
    aCatalogueFile(`${id}-balanced`),
    aCatalogueFile(`${id}-large`, { size: 'large', quantisation: 'Q8_0', sizeBytes: 11 * GB }),
  ],
  ...given,
})

type Catalogue = Awaited<ReturnType<HostClient['catalogue.list']>>

/** The models of a fake host, for tests to fill and to look into. */
export type FakeModels = {
  list: Model[]
  defaultId: string
  machine: Machine
  engine: EngineInfo
  catalogue: Catalogue
  /** What looking at a path brings; any other path is one file of that name. */
  paths: Map<string, readonly FoundFile[]>
  /** What lies in the folders of other programs. */
  apps: { files: FoundFile[]; looked: string[] }
  /** What a server says when it is tried. */
  check: ServerCheck
  fit: (model: Model, contextTokens: number | undefined) => Fit
  transfers: () => readonly Transfer[]
  /** Put a transfer there, or change the one with that id, and tell the window. */
  transfer: (given: Partial<Transfer> & { id: string }) => Transfer
}

type Names = Extract<
  keyof HostClient,
  `${'model' | 'machine' | 'engine' | 'catalogue' | 'transfer'}.${string}`
>
export type ModelHandlers = { [K in Names]: (...input: Parameters<HostClient[K]>) => unknown }

type Tell = { models: () => void; transfers: (transfers: Transfer[]) => void }

/** Models, transfers and the engine in memory, which answer as the real ones do. */
export function fakeModels(list: Model[], tell: Tell): { files: FakeModels; handlers: ModelHandlers } {
  const transfers = new Map<string, Transfer>()
  let lastId = 0
  const files: FakeModels = {
    list,
    defaultId: list[0]?.id ?? '',
    machine: aMachine,
    engine: anEngine,
    catalogue: { asOf: '2026-11-01', models: [], suggested: { light: '', balanced: '', best: '' } },
    paths: new Map(),
    apps: { files: [], looked: ['~/.lmstudio/models', '~/jan/models'] },
    check: { ok: true, text: 'A server of llama.cpp with one model.', fix: '', models: [], ms: 12 },
    fit: (model, contextTokens) =>
      aFit(model.sizeBytes ?? 0, contextTokens ?? model.options.contextTokens ?? 8_192),
    transfers: () => [...transfers.values()],
    transfer(given) {
      const transfer = { ...(transfers.get(given.id) ?? aTransfer()), ...given }
      transfers.set(transfer.id, transfer)
      tell.transfers([...transfers.values()])
      return transfer
    },
  }
  const found = (id: string) => {
    const model = list.find(each => each.id === id)
    if (!model) throw new Fault('not_found', 'There is no such model.')
    return model
  }
  const put = (model: Model) => {
    const at = list.findIndex(each => each.id === model.id)
    list.splice(at === -1 ? list.length : at, 1, model)
    tell.models()
    return model
  }
  const drop = (id: string) => {
    list.splice(0, list.length, ...list.filter(model => model.id !== id))
    tell.models()
    return {}
  }
  const moving = (id: string, state: Transfer['state']) => {
    if (!transfers.has(id)) throw new Fault('not_found', 'There is no such transfer.')
    const halted = state === 'paused' ? { bytesPerSecond: null, secondsLeft: null } : {}
    return files.transfer({ id, state, error: '', fix: '', ...halted })
  }
  const begin = (given: Partial<Transfer>) =>
    files.transfer({
      ...aTransfer({ state: 'waiting', doneBytes: 0, bytesPerSecond: null, secondsLeft: null }),
      ...given,
      id: `transfer-new-${++lastId}`,
    })
  const nameOf = (path: string) => path.split('/').at(-1) || path

  const handlers: ModelHandlers = {
    'model.list': () => ({ models: [...list], defaultId: files.defaultId }),
    'model.add': ({ path }) => put(aFileModel(path, { sizeBytes: 4_100_000_000 })),
    'model.addServer'({ id = '', name, protocol = 'openai', baseUrl, model, apiKey = '' }) {
      const known = list.find(each => each.id === id)
      const made = known ?? aServerModel(name)
      const key = apiKey === '' ? (known?.server?.key ?? 'none') : 'stored'
      const nearby = /^https?:\/\/(localhost|127\.)/.test(baseUrl)
      const server = { serverId: made.id, protocol, baseUrl, model, nearby, key } as const
      return put({ ...made, name, detail: baseUrl, server })
    },
    'model.tryServer': () => files.check,
    'model.forget': ({ id }) => drop(id),
    'model.deleteFile': ({ id }) => drop(id),
    'model.setDefault'({ id }) {
      files.defaultId = id
      tell.models()
      return {}
    },
    'model.setOptions': ({ id, options }) => put({ ...found(id), options }),
    'model.load': () => ({}),
    'model.cancelLoad': () => ({}),
    'model.unload': () => ({}),
    'model.fit': ({ id, contextTokens }) => files.fit(found(id), contextTokens),
    'model.look': ({ path }) => ({ files: files.paths.get(path) ?? [aFoundFile(path)] }),
    'model.scanApps': () => files.apps,
    'machine.look': () => files.machine,
    'engine.info': () => files.engine,
    'engine.benchmark'({ id }) {
      const benchmark = {
        modelId: id,
        modelName: found(id).name,
        at: Date.now(),
        backend: 'cpu',
        threads: 6,
        promptPerSecond: 84.2,
        writePerSecond: 11.6,
      }
      const others = files.engine.benchmarks.filter(each => each.modelId !== id)
      files.engine = { ...files.engine, benchmarks: [benchmark, ...others] }
      return benchmark
    },
    'catalogue.list': () => files.catalogue,
    'transfer.list': () => ({ transfers: [...transfers.values()] }),
    'transfer.download'(what) {
      if ('address' in what) return begin({ name: nameOf(what.address), from: what.address })
      const model = files.catalogue.models.find(each => each.files.some(file => file.id === what.catalogueId))
      const file = model?.files.find(each => each.id === what.catalogueId)
      if (!model || !file) throw new Fault('not_found', 'The catalogue has no such file.')
      const name = `${model.name} ${file.quantisation}`
      return begin({ name, from: file.address, totalBytes: file.sizeBytes })
    },
    'transfer.copy': ({ path }) => begin({ kind: 'copy', name: nameOf(path), from: path }),
    'transfer.upload': ({ name, sizeBytes }) =>
      begin({ kind: 'upload', name, from: '', totalBytes: sizeBytes }),
    'transfer.pause': ({ id }) => moving(id, 'paused'),
    'transfer.resume': ({ id }) => moving(id, 'running'),
    'transfer.cancel'({ id }) {
      transfers.delete(id)
      tell.transfers([...transfers.values()])
      return {}
    },
    'transfer.clear'() {
      for (const { id, state } of transfers.values()) if (state === 'done') transfers.delete(id)
      tell.transfers([...transfers.values()])
      return {}
    },
  }
  return { files, handlers }
}
