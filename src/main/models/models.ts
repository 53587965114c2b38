import { stat } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import type { Model, ModelOptions, ToolsVerdict } from '../../shared/contract/models/model.ts'
import { Fault } from '../../shared/rpc.ts'
import { chatFacts, describeLocal, type LocalModel, type ModelFacts } from './describe-model.ts'
import { isFailure, type EngineFailure, type LlmEngine } from './interface/engine.ts'
import { BUILTIN, type ModelIds } from './files/model-ids.ts'
import { findModelFiles, firstPart, realPathOf, resolveTypedPath } from './files/model-paths.ts'
import { createModelNamer } from './files/model-namer.ts'
import type { Mixtures } from './mixtures/open-mixtures.ts'
import { optionsOf, withOptions, type OptionsEntry } from './model-options.ts'
import type { Servers } from './servers.ts'

/** How to load a model, for this one time only. */
type LoadHow = {
  /** Load even if the estimate says that it will not fit. */
  anyway?: boolean
  /** Without the graphics card. */
  cpu?: boolean
  /** Override the model's own options. */
  options?: ModelOptions | undefined
}

/** The parts of the host that the registry needs. */
export type ModelSources = {
  home: string
  ids: ModelIds
  config: {
    readonly current: {
      models: {
        default: string
        files: readonly string[]
        options: Readonly<Record<string, OptionsEntry>>
      }
    }
    /** One signature, not three: TypeScript cannot match a generic `set` with overloads. */
    set(
      ...setting:
        | [path: 'models.default', value: string | undefined]
        | [path: 'models.files', value: string[]]
        | [path: 'models.options', value: Record<string, OptionsEntry>]
    ): void
  }
  servers: Pick<Servers, 'list' | 'has' | 'engineFor' | 'forget'>
  mixtures?: Pick<Mixtures, 'list' | 'has' | 'answererOf' | 'forget'>
  local: {
    engine(model: LocalModel): LlmEngine
    /** Load the model that the next question would use. */
    load(model: LocalModel, how?: LoadHow): Promise<EngineFailure | undefined>
  }
  readGguf(path: string): Promise<ModelFacts | EngineFailure>
  /** The verdict from trying a model's tools. Without this function no model was tried. */
  verdictOf?(this: void, id: string): Promise<ToolsVerdict | null>
  /** Whether a model accepts pictures, as a trial has shown. */
  sightOf?(this: void, id: string): boolean | undefined
}

/** The available models: the built-in one, files in `models/` and linked ones, and servers. */
export type Models = {
  /**
   * All models, including those that cannot be used at the moment, with their `problem`. The model of new
   * chats is listed even if it is gone.
   */
  list(): Promise<Model[]>
  /**
   * The model of new chats. A model that is gone stays the default until the user chooses another, so no
   * other model answers unnoticed.
   */
  defaultId(): string
  /** The engine of a model. Any file can be used by its id, even if it is not listed. */
  engineFor(id: string): Promise<LlmEngine | EngineFailure>
  /** Load a local model now. Does nothing for a server. */
  load(id: string, how?: LoadHow): Promise<EngineFailure | undefined>
  /** Link a file in place, or return its known model. Throws a Fault with the reason if it is not a model. */
  add(path: string): Promise<Model>
  /** Remove a link or a server, with its options. Throws a Fault if the file is in Talaria’s own folder. */
  forget(id: string): Promise<void>
  /** Delete all settings of a model after its file was deleted. */
  clear(id: string): void
  /** Replace the options of one model. */
  setOptions(id: string, options: ModelOptions): Promise<Model>
  setDefault(id: string): Promise<void>
}

/** Create the registry. Every call reads the configuration and the disk, so the list is always current. */
export function createModels(sources: ModelSources): Models {
  const { home, ids, config, servers, mixtures, local } = sources
  const ownFolder = join(home, 'models')
  const factsOf = chatFacts(path => sources.readGguf(path))
  const nameOf = createModelNamer()

  const linked = () => config.current.models.files.map(resolveTypedPath)
  const isOwn = (path: string) => path.startsWith(join(ownFolder, sep))
  /** Whether a file is really in Talaria's folder, and not only reached through a linked folder in it. */
  const isOwned = async (path: string) =>
    isOwn(path) &&
    `${await realPathOf(dirname(path))}${sep}`.startsWith(`${await realPathOf(ownFolder)}${sep}`)

  const withSettings = async (model: Model): Promise<Model> => ({
    ...withSight(model, sources.sightOf?.(model.id)),
    options: optionsOf(config.current.models.options, model.id),
    tools: (await sources.verdictOf?.(model.mixture?.aggregator ?? model.id)) ?? null,
  })

  async function describe(path: string): Promise<Model> {
    const [{ name, vision }, owned, facts] = await Promise.all([nameOf(path), isOwned(path), factsOf(path)])
    return describeLocal({ id: ids.idOf(path), name, path, demo: false }, facts, { owned, vision })
  }

  async function list(): Promise<Model[]> {
    const files = new Map<string, string>()
    for (const path of [...(await findModelFiles(ownFolder)), ...linked()]) {
      const real = await realPathOf(path)
      if (!files.has(real)) files.set(real, path)
    }
    const gone = goneDefault()
    if (gone && 'path' in gone && !files.has(await realPathOf(gone.path))) files.set(gone.path, gone.path)
    const locals = await Promise.all([...files.values()].map(describe))
    const all = [
      describeLocal(BUILTIN, await factsOf(BUILTIN.path), { owned: false, vision: '' }),
      ...locals.toSorted((a, b) => a.name.localeCompare(b.name)),
      ...servers.list(),
      ...(mixtures?.list() ?? []),
      ...(gone && !('path' in gone) ? [gone] : []),
    ]
    return Promise.all(all.map(withSettings))
  }

  /** The default model if it is neither in a folder nor in the settings: its file, or a placeholder. */
  function goneDefault(): Model | LocalModel | undefined {
    const id = defaultId()
    const file = ids.localOf(id)
    if (file?.demo || servers.has(id) || mixtures?.has(id)) return undefined
    return file ?? describeGone(id)
  }

  async function localOf(id: string): Promise<LocalModel | undefined> {
    const model = ids.localOf(id)
    return !model || model.demo ? model : { ...model, name: (await nameOf(model.path)).name }
  }

  async function engineFor(id: string): Promise<LlmEngine | EngineFailure> {
    const answerer = mixtures?.answererOf(id)
    if (answerer !== undefined) return isFailure(answerer) ? answerer : engineFor(answerer.id)
    const model = await localOf(id)
    if (model) {
      const facts = await factsOf(model.path)
      return isFailure(facts) ? facts : local.engine(model)
    }
    return servers.engineFor(id) ?? unknownModel(id)
  }

  async function load(id: string, how?: LoadHow): Promise<EngineFailure | undefined> {
    const engine = await engineFor(id)
    if (isFailure(engine)) return engine
    const model = await localOf(id)
    return model && local.load(model, how)
  }

  async function add(typed: string): Promise<Model> {
    const path = firstPart(await fileIn(resolveTypedPath(typed)))
    const facts = await factsOf(path)
    if (isFailure(facts)) throw new Fault('bad_input', `${facts.text} ${facts.fix}`)
    const real = await realPathOf(path)
    for (const known of await list()) {
      if (known.file && (await realPathOf(known.file.path)) === real) return known
    }
    config.set('models.files', [...config.current.models.files, path])
    return withSettings(await describe(path))
  }

  async function forget(given: string): Promise<void> {
    const id = ids.idNow(given)
    const path = ids.localOf(id)?.path
    if (id === BUILTIN.id) throw new Fault('bad_input', 'The built-in model belongs to Talaria and stays.')
    const isLinked = path !== undefined && linked().includes(path)
    const isThere = path !== undefined && (await stat(path).catch(() => undefined)) !== undefined
    if (!isLinked && isThere && isOwn(path)) {
      const text = `${basename(path)} is in Talaria’s own folder. To remove the model, delete the file.`
      throw new Fault('bad_input', text)
    }
    const isGoneDefault = !isThere && id === defaultId()
    if (!isLinked && !mixtures?.forget(id) && !(await servers.forget(id)) && !isGoneDefault)
      throw new Fault('not_found', unknownModel(id).text)
    clear(id)
  }

  function clear(given: string): void {
    const id = ids.idNow(given)
    const { files, options } = config.current.models
    const others = files.filter(file => ids.idOf(resolveTypedPath(file)) !== id)
    if (others.length < files.length) config.set('models.files', others)
    if (Object.hasOwn(options, id)) config.set('models.options', withOptions(options, id, {}))
    if (defaultId() === id) config.set('models.default', undefined)
  }

  async function setOptions(given: string, options: ModelOptions): Promise<Model> {
    const id = ids.idNow(given)
    // Set before the first await, so that the next question, such as for the fit, sees the new options.
    if (isKnown(id)) config.set('models.options', withOptions(config.current.models.options, id, options))
    const model = (await list()).find(each => each.id === id)
    if (!model) throw new Fault('not_found', unknownModel(id).text)
    return model
  }

  async function setDefault(given: string): Promise<void> {
    let id = ids.idNow(given)
    if (!isKnown(id)) {
      const path = ids.localOf(id)?.path
      if (path === undefined) throw new Fault('not_found', unknownModel(id).text)
      id = (await add(path)).id
    }
    config.set('models.default', id)
  }

  function isKnown(id: string): boolean {
    const path = ids.localOf(id)?.path
    if (path !== undefined) return id === BUILTIN.id || linked().includes(path) || isOwn(path)
    return servers.has(id) || mixtures?.has(id) === true
  }

  function defaultId(): string {
    return ids.idNow(config.current.models.default) || BUILTIN.id
  }

  return { list, defaultId, engineFor, load, add, forget, clear, setOptions, setDefault }
}

const unknownModel = (id: string): EngineFailure => ({
  code: 'model_missing',
  text: `The model “${id}” no longer exists.`,
  fix: 'Choose another model for this chat.',
})

/** Describe a model of which only the name is left. */
const describeGone = (id: string): Model => ({
  id,
  name: id.replace(/^(server|file|mixture):/, ''),
  kind: id.startsWith('server:') ? 'server' : id.startsWith('mixture:') ? 'mixture' : 'file',
  detail: 'It is in the settings, and not here.',
  sizeBytes: null,
  contextTokens: null,
  demo: false,
  problem: unknownModel(id).text,
  file: null,
  server: null,
  options: {},
  tools: null,
})

/** The file that a path refers to: itself, or the only model in a folder. */
async function fileIn(path: string): Promise<string> {
  const stats = await stat(path).catch(() => undefined)
  if (!stats?.isDirectory()) return path
  const files = await findModelFiles(path)
  const [only] = files
  if (only !== undefined && files.length === 1) return only
  throw new Fault(
    'bad_input',
    files.length === 0
      ? `${path} contains no GGUF file.`
      : `${path} contains ${files.length} models. Choose one: ${files.map(each => basename(each)).join(', ')}.`,
  )
}

/** The result of a trial counts more than the name of a model. */
const withSight = (model: Model, sees: boolean | undefined): Model =>
  model.server && sees !== undefined ? { ...model, server: { ...model.server, sees } } : model
