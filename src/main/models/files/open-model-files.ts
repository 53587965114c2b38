import { homedir } from 'node:os'
import { join, basename, dirname } from 'node:path'
import { rm, rmdir } from 'node:fs/promises'
import type {
  EngineState,
  Fit,
  FoundFile,
  Machine,
  Model,
  ModelOptions,
} from '../../../shared/contract/models/model.ts'
import { Fault } from '../../../shared/rpc.ts'
import { chatFacts } from '../describe-model.ts'
import { isFailure, type EngineFailure } from '../interface/engine.ts'
import { fitOf, type FitFacts, type FitRoom } from '../engines/local/planning/memory-fit.ts'
import type { GgufFacts } from '../engines/local/gguf/read-gguf.ts'
import { firstPart, allPartPaths } from './model-paths.ts'
import type { ModelIds } from './model-ids.ts'
import type { AppPlaces } from './app-folders.ts'
import { createFileInspector } from './inspect-files.ts'
import { describeMachine, readProcessor, type Processor } from './describe-machine.ts'
import { reasonOf } from '../../lib/expected-errors.ts'

/** Facts about model files that are not loaded, and about the computer they would run on. */
export type ModelFiles = {
  /** Inspect a path before it is added: one file, or all files below a folder. */
  look(path: string): Promise<FoundFile[]>
  /** Search the folders of other programs. `looked` names all of them, existing or not. */
  scanApps(): Promise<{ files: FoundFile[]; looked: string[] }>
  /** Delete a file in Talaria’s own folder. Throws `busy` while it is loaded. */
  deleteFile(id: string): Promise<void>
  /**
   * Whether a model fits, with this context or the one that it would be loaded with. With `now`, the answer
   * does not wait for the search for a graphics card. Until that ends, it is an estimate and says so in
   * `uncertain`.
   */
  fit(id: string, how?: { contextTokens?: number | undefined; now?: boolean | undefined }): Promise<Fit>
  /**
   * Return a function that checks whether models fit right now, given only their figures. It uses the context
   * from the settings.
   */
  fitting(): Promise<(facts: FitFacts) => Fit>
  machine(): Promise<Machine>
}

type Parts = {
  home: string
  ids: Pick<ModelIds, 'idNow' | 'localOf'>
  models: {
    list(): Promise<Model[]>
    /** Delete all settings of a model. */
    clear(id: string): void
  }
  readGguf(path: string): Promise<GgufFacts | EngineFailure>
  local: {
    readonly state: EngineState
    /** Return the memory that a model could get now. */
    room(): Promise<FitRoom>
    /** Return the same at once, possibly with the card of an earlier start. */
    expectedRoom(): FitRoom
  }
  settings: () => { context_tokens: number }
  /** The folders in which other programs keep models; by default those of this computer. */
  places?: AppPlaces
}

const IN_MEMORY: readonly EngineState['phase'][] = ['starting', 'loading', 'ready', 'busy']

/** Create the facade for model files. Nothing is read until it is needed. */
export function openModelFiles({ home, ids, models, local, settings, ...parts }: Parts): ModelFiles {
  const ownFolder = join(home, 'models')
  const places = parts.places ?? { home: homedir(), env: process.env, platform: process.platform }
  const factsOf = chatFacts(path => parts.readGguf(path))
  let processor: Promise<Processor> | undefined

  async function modelOf(given: string): Promise<Model> {
    const id = ids.idNow(given)
    const model = (await models.list()).find(each => each.id === id)
    if (!model) throw unknownModel(id)
    return model
  }

  /** Return the path of a model. Any file can be requested by its id, listed or not. */
  async function placeOf(given: string): Promise<{ path: string; options: ModelOptions }> {
    const id = ids.idNow(given)
    const model = (await models.list()).find(each => each.id === id)
    if (model?.file) return { path: model.file.path, options: model.options }
    if (model) throw new Fault('bad_input', `${model.name} does not run on this computer.`)
    const unlisted = ids.localOf(id)
    if (!unlisted) throw unknownModel(id)
    return { path: firstPart(unlisted.path), options: {} }
  }

  async function fitting(): Promise<(facts: FitFacts) => Fit> {
    const { context_tokens: contextTokens } = settings()
    const room = await local.room()
    return facts => fitOf(facts, { contextTokens, ...room })
  }

  return {
    ...createFileInspector({ models, factsOf, fitOf: async facts => (await fitting())(facts), places }),
    fitting,
    async fit(id, { contextTokens, now = false } = {}) {
      const { path, options } = await placeOf(id)
      const facts = await factsOf(path)
      if (isFailure(facts)) throw new Fault('not_ready', `${facts.text} ${facts.fix}`)
      const tokens = contextTokens ?? options.contextTokens ?? settings().context_tokens
      const room = now ? local.expectedRoom() : await local.room()
      const { batchTokens: batch, chats, contextBits } = options
      const fit = fitOf(facts, { contextTokens: tokens, batch, chats, contextBits, ...room })
      if (room.isExpected !== true) return fit
      const waits = room.gpu ? LOOKING_AT_CARD : LOOKING_FOR_CARD
      return { ...fit, uncertain: [fit.uncertain, waits].filter(text => text !== '').join(' ') }
    },
    async deleteFile(id) {
      const model = await modelOf(id)
      const { modelId, phase } = local.state
      if (modelId === model.id && IN_MEMORY.includes(phase))
        throw new Fault('busy', `${model.name} is loaded. Unload it first.`)
      await deleteModel(model, await models.list(), ownFolder)
      models.clear(model.id)
    },
    async machine() {
      processor ??= readProcessor()
      const { freedBytes, availableBytes, totalBytes, gpu } = await local.room()
      const here = {
        totalBytes,
        freeBytes: availableBytes,
        availableBytes: Math.min(totalBytes, availableBytes + freedBytes),
        gpu,
      }
      return describeMachine(here, await processor, ownFolder)
    },
  }
}

const LOOKING_FOR_CARD = 'Talaria is still looking for a graphics card. These figures are without one.'
const LOOKING_AT_CARD = 'Talaria is still checking the graphics card. These figures are from last time.'

const unknownModel = (id: string) => new Fault('not_found', `The model “${id}” no longer exists.`)

/**
 * Delete a model in Talaria’s own folder: all its parts, its projector if no other model uses it, and its
 * folder if that is then empty. Throws a Fault that names the file that could not be deleted. The model then
 * stays listed, so that the user can try again.
 */
async function deleteModel(model: Model, others: readonly Model[], ownFolder: string): Promise<void> {
  const { file } = model
  if (!file?.owned) {
    const text = `${model.name} is not in Talaria’s own folder. Remove it from the list instead. Its file stays.`
    throw new Fault('bad_input', text)
  }
  // Delete the first part last, because without it the other parts would no longer be listed.
  for (const part of allPartPaths(file.path).toReversed()) await remove(part)
  const isShared = others.some(other => other.id !== model.id && other.file?.vision === file.vision)
  if (file.vision !== '' && !isShared) await remove(file.vision)
  const folder = dirname(file.path)
  if (folder !== join(ownFolder)) await rmdir(folder).catch(ignoreFull)
}

async function remove(path: string): Promise<void> {
  try {
    await rm(path, { force: true })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    throw new Fault('not_ready', `${basename(path)} cannot be deleted: ${reasonOf(String(error.code))}.`)
  }
}

/** Ignore that a folder is not empty. */
function ignoreFull(error: unknown): void {
  if (!(error instanceof Error && 'code' in error)) throw error
}
