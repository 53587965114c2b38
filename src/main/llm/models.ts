import { stat } from 'node:fs/promises'
import { basename, isAbsolute, join } from 'node:path'
import type { Model } from '../../shared/contract/model.ts'
import { Fault } from '../../shared/rpc.ts'
import { resourcePath } from '../lib/places.ts'
import {
  chatFacts,
  describeEngine,
  describeLocal,
  describeServer,
  type LocalModel,
  type ModelFacts,
} from './describe-model.ts'
import { isFailure, type EngineFailure, type LlmEngine } from './engine.ts'
import { findModelFiles, firstPart, modelFileName, realPathOf, resolveTyped } from './model-files.ts'
import { createOpenAiEngine } from './openai/openai-engine.ts'
import { keyNameOf, newServerEntry, type ServerEntry } from './server-entry.ts'

/** What the registry needs from its surroundings, and nothing more of them. */
export type ModelSources = {
  home: string
  config: {
    readonly current: {
      models: { default: string; files: readonly string[]; servers: readonly ServerEntry[] }
    }
    /** One signature, not three: TypeScript cannot match a generic `set` with overloads. */
    set(
      ...setting:
        | [path: 'models.default', value: string | undefined]
        | [path: 'models.files', value: string[]]
        | [path: 'models.servers', value: ServerEntry[]]
    ): void
  }
  secrets: { get(name: string): string | undefined; set(name: string, value: string | undefined): void }
  local: {
    engine(model: LocalModel): LlmEngine
    /** Load now what would be loaded at the first question. */
    load(model: LocalModel): Promise<EngineFailure | undefined>
  }
  readGguf(path: string): Promise<ModelFacts | EngineFailure>
  /** Engines that come from nowhere else, such as a scripted one in a test. */
  extra?: readonly LlmEngine[]
  report: (error: unknown) => void
}

/** The models at hand: the built-in one, files in `models/` and linked ones, and servers. */
export type Models = {
  /** Whatever cannot be used at the moment is listed too, with its `problem`. */
  list(): Promise<Model[]>
  /** The model of new chats; the built-in one when the configured one is gone. */
  defaultId(): string
  /** The engine of a model. Any file can be used by its id, listed or not. */
  engineFor(id: string): Promise<LlmEngine | EngineFailure>
  /** Load a local model now; nothing happens for a server. */
  load(id: string): Promise<EngineFailure | undefined>
  /** Link a file where it lies, or return it as it is known already. Throws a Fault that says why a file is no model. */
  add(path: string): Promise<Model>
  /** Add a model on a server, or give one that is known already a new name and key. */
  addServer(server: { name: string; baseUrl: string; model: string; apiKey: string }): Promise<Model>
  forget(id: string): Promise<void>
  setDefault(id: string): Promise<void>
}

const BUILTIN: LocalModel = {
  id: 'builtin',
  name: 'Built-in demo model',
  path: resourcePath(join('models', 'talaria-demo.gguf')),
  demo: true,
}
const FILE = 'file:'
const SERVER = 'server:'

/** Build the registry. What it lists is read from the configuration and the disk at every call, so it never is out of date. */
export function createModels(sources: ModelSources): Models {
  const { home, config, secrets, local, report } = sources
  const extra = sources.extra ?? []
  const ownFolder = join(home, 'models')
  const factsOf = chatFacts(path => sources.readGguf(path))
  const serverEngines = new Map<string, { made: string; engine: LlmEngine }>()

  const servers = () => config.current.models.servers
  const linked = () => config.current.models.files.map(resolveTyped)
  const isOwn = (path: string) => path.startsWith(join(ownFolder, '/'))

  async function list(): Promise<Model[]> {
    const files = new Map<string, string>()
    for (const path of [...(await findModelFiles(ownFolder)), ...linked()]) {
      const real = await realPathOf(path)
      if (!files.has(real)) files.set(real, path)
    }
    const locals = [BUILTIN, ...[...files.values()].map(fileModel).toSorted(byName)]
    return [
      ...(await Promise.all(locals.map(async model => describeLocal(model, await factsOf(model.path))))),
      ...servers().map(server => describeServer(SERVER + server.id, server)),
      ...extra.map(describeEngine),
    ]
  }

  function localOf(id: string): LocalModel | undefined {
    if (id === BUILTIN.id) return BUILTIN
    const path = id.startsWith(FILE) ? id.slice(FILE.length) : ''
    return isAbsolute(path) ? fileModel(path) : undefined
  }

  function serverOf(id: string): ServerEntry | undefined {
    return id.startsWith(SERVER) ? servers().find(each => SERVER + each.id === id) : undefined
  }

  async function engineFor(id: string): Promise<LlmEngine | EngineFailure> {
    const given = extra.find(engine => engine.modelId === id)
    if (given) return given
    const model = localOf(id)
    if (model) {
      const facts = await factsOf(model.path)
      return isFailure(facts) ? facts : local.engine(model)
    }
    const server = serverOf(id)
    return server ? serverEngine(server) : unknownModel(id)
  }

  /** Kept while nothing about the server changes, because an engine learns what its server does not take. */
  function serverEngine(server: ServerEntry): LlmEngine {
    const apiKey = secrets.get(keyNameOf(server.id)) ?? ''
    const made = JSON.stringify([server, apiKey])
    const known = serverEngines.get(server.id)
    if (known?.made === made) return known.engine
    const options = {
      modelId: SERVER + server.id,
      name: server.name,
      baseUrl: server.base_url,
      model: server.model,
      apiKey,
      ...(server.strategy && { strategy: server.strategy }),
      ...(server.context_tokens && { contextTokens: server.context_tokens }),
    }
    const engine = createOpenAiEngine(options, report)
    serverEngines.set(server.id, { made, engine })
    return engine
  }

  async function load(id: string): Promise<EngineFailure | undefined> {
    const engine = await engineFor(id)
    if (isFailure(engine)) return engine
    const model = localOf(id)
    return model && local.load(model)
  }

  async function add(typed: string): Promise<Model> {
    const path = firstPart(await fileIn(resolveTyped(typed)))
    const facts = await factsOf(path)
    if (isFailure(facts)) throw new Fault('bad_input', `${facts.text} ${facts.fix}`)
    const real = await realPathOf(path)
    for (const known of await list()) {
      const model = localOf(known.id)
      if (model && (await realPathOf(model.path)) === real) return known
    }
    config.set('models.files', [...config.current.models.files, path])
    return describeLocal(fileModel(path), facts)
  }

  async function addServer(typed: Parameters<Models['addServer']>[0]): Promise<Model> {
    const others = servers()
    const entry = newServerEntry(typed, others)
    const known = others.find(each => each.base_url === entry.base_url && each.model === entry.model)
    const kept = known ? { ...known, name: entry.name } : entry
    config.set('models.servers', [...others.filter(each => each !== known), kept])
    const apiKey = typed.apiKey.trim()
    try {
      if (apiKey !== '' || !known) secrets.set(keyNameOf(kept.id), apiKey === '' ? undefined : apiKey)
    } catch (error) {
      // Without its key the server would be there and refuse.
      config.set('models.servers', [...others])
      throw error
    }
    return describeServer(SERVER + kept.id, kept)
  }

  async function forget(id: string): Promise<void> {
    const model = localOf(id)
    const server = serverOf(id)
    if (model?.demo) throw new Fault('bad_input', 'The built-in model belongs to Talaria and stays.')
    if (model && linked().includes(model.path)) {
      config.set(
        'models.files',
        config.current.models.files.filter(file => resolveTyped(file) !== model.path),
      )
    } else if (model && isOwn(model.path)) {
      const text = `${basename(model.path)} lies in Talaria’s own folder. Remove the file from ${ownFolder} to be rid of it.`
      throw new Fault('bad_input', text)
    } else if (server) {
      config.set(
        'models.servers',
        servers().filter(each => each.id !== server.id),
      )
      secrets.set(keyNameOf(server.id), undefined)
      serverEngines.delete(server.id)
    } else throw new Fault('not_found', unknownModel(id).text)
    if (config.current.models.default === id) config.set('models.default', undefined)
  }

  async function setDefault(id: string): Promise<void> {
    if (!isKnown(id)) {
      const model = localOf(id)
      if (!model) throw new Fault('not_found', unknownModel(id).text)
      id = (await add(model.path)).id
    }
    config.set('models.default', id)
  }

  function isKnown(id: string): boolean {
    const model = localOf(id)
    if (model) return model.demo || linked().includes(model.path) || isOwn(model.path)
    return serverOf(id) !== undefined || extra.some(engine => engine.modelId === id)
  }

  function defaultId(): string {
    const id = config.current.models.default
    return isKnown(id) ? id : BUILTIN.id
  }

  return { list, defaultId, engineFor, load, add, addServer, forget, setDefault }
}

const fileModel = (path: string): LocalModel => ({
  id: FILE + path,
  name: modelFileName(path),
  path,
  demo: false,
})

const byName = (a: LocalModel, b: LocalModel) => a.name.localeCompare(b.name)

const unknownModel = (id: string): EngineFailure => ({
  code: 'model_missing',
  text: `The model “${id}” is not here any more.`,
  fix: 'Choose another model for this chat.',
})

/** The one file that a path means: itself, or the only model in a folder. */
async function fileIn(path: string): Promise<string> {
  const stats = await stat(path).catch(() => undefined)
  if (!stats?.isDirectory()) return path
  const files = await findModelFiles(path)
  const [only] = files
  if (only !== undefined && files.length === 1) return only
  throw new Fault(
    'bad_input',
    files.length === 0
      ? `There is no GGUF file in ${path}.`
      : `There are ${files.length} models in ${path}; choose one of them: ${files.map(each => basename(each)).join(', ')}.`,
  )
}
