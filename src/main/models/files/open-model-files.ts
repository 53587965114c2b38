import { homedir } from 'node:os'
import { join } from 'node:path'
import type {
  EngineState,
  Fit,
  FoundFile,
  Machine,
  Model,
  ModelOptions,
} from '../../shared/contract/model.ts'
import { Fault } from '../../shared/rpc.ts'
import { chatFacts } from '../llm/describe-model.ts'
import { isFailure, type EngineFailure } from '../llm/engine.ts'
import { fitOf, type FitFacts, type FitRoom } from '../llm/local/fit.ts'
import type { GgufFacts } from '../llm/local/gguf-file.ts'
import { firstPart } from '../llm/model-files.ts'
import { localModelOf } from '../llm/models.ts'
import type { AppPlaces } from './app-folders.ts'
import { deleteModel } from './delete-file.ts'
import { createLooking } from './look-at.ts'
import { describeMachine } from './machine.ts'
import { lookAtProcessor, type Processor } from './processor.ts'

/** What is known of model files without loading them, and of the computer that they are to run on. */
export type ModelFiles = {
  /** What a path means before it is added: one file, or all below a folder. */
  look(path: string): Promise<FoundFile[]>
  /** Look into the folders of other programs; `looked` names all of them, whether they exist or not. */
  scanApps(): Promise<{ files: FoundFile[]; looked: string[] }>
  /** Delete a file in Talaria’s own folder. Throws `busy` while it is loaded. */
  deleteFile(id: string): Promise<void>
  /** Whether a model fits, with this context or the one that it would be loaded with. */
  fit(id: string, contextTokens?: number): Promise<Fit>
  /** How models of which only the figures are known would fit at this moment, with the context of the settings. */
  fitting(): Promise<(facts: FitFacts) => Fit>
  machine(): Promise<Machine>
}

type Parts = {
  home: string
  models: {
    list(): Promise<Model[]>
    /** Take everything away that is kept about a model. */
    clear(id: string): void
  }
  readGguf(path: string): Promise<GgufFacts | EngineFailure>
  local: {
    readonly state: EngineState
    /** What a model could have now. */
    room(): Promise<FitRoom>
  }
  settings: () => { context_tokens: number }
  /** Where other programs keep their models; default this computer. */
  places?: AppPlaces
}

const IN_MEMORY: readonly EngineState['phase'][] = ['starting', 'loading', 'ready', 'busy']

/** Make the facade for model files. Nothing is read before it is asked for. */
export function openModelFiles({ home, models, local, settings, ...parts }: Parts): ModelFiles {
  const ownFolder = join(home, 'models')
  const places = parts.places ?? { home: homedir(), env: process.env, platform: process.platform }
  const factsOf = chatFacts(path => parts.readGguf(path))
  let processor: Promise<Processor> | undefined

  async function fitWith(facts: FitFacts, contextTokens = settings().context_tokens): Promise<Fit> {
    return fitOf(facts, { contextTokens, ...(await local.room()) })
  }

  async function modelOf(id: string): Promise<Model> {
    const model = (await models.list()).find(each => each.id === id)
    if (!model) throw unknownModel(id)
    return model
  }

  /** Where a model lies. Any file can be asked for by its id, listed or not. */
  async function placeOf(id: string): Promise<{ path: string; options: ModelOptions }> {
    const model = (await models.list()).find(each => each.id === id)
    if (model?.file) return { path: model.file.path, options: model.options }
    if (model) throw new Fault('bad_input', `${model.name} does not run on this computer.`)
    const unlisted = localModelOf(id)
    if (!unlisted) throw unknownModel(id)
    return { path: firstPart(unlisted.path), options: {} }
  }

  return {
    ...createLooking({ models, factsOf, fitOf: facts => fitWith(facts), places }),
    async fitting() {
      const { context_tokens: contextTokens } = settings()
      const room = await local.room()
      return facts => fitOf(facts, { contextTokens, ...room })
    },
    async fit(id, contextTokens) {
      const { path, options } = await placeOf(id)
      const facts = await factsOf(path)
      if (isFailure(facts)) throw new Fault('not_ready', `${facts.text} ${facts.fix}`)
      return fitWith(facts, contextTokens ?? options.contextTokens)
    },
    async deleteFile(id) {
      const model = await modelOf(id)
      const { modelId, phase } = local.state
      if (modelId === id && IN_MEMORY.includes(phase))
        throw new Fault('busy', `${model.name} is loaded. Unload it first.`)
      await deleteModel(model, await models.list(), ownFolder)
      models.clear(id)
    },
    async machine() {
      processor ??= lookAtProcessor()
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

const unknownModel = (id: string) => new Fault('not_found', `The model “${id}” is not here any more.`)
