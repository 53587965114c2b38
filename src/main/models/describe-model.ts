import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Model, ModelFile } from '../../shared/contract/model.ts'
import { detectDialect } from '../dialects/detect.ts'
import { dialects } from '../dialects/table.ts'
import { isFailure, type EngineFailure, type LlmEngine } from './engine.ts'
import { allParts, shownFolder } from './model-files.ts'

/** A model that runs on this machine. */
export type LocalModel = { id: string; name: string; path: string; demo: boolean }

/** What a file says about the model in it, before any weights are loaded. */
export type ModelFacts = {
  /** Of all parts, when the model is split over several files. */
  sizeBytes: number
  architecture: string
  /** What the file calls itself; empty when it does not say. */
  name: string
  parameters: number
  /** Files that it is split over. */
  parts: number
  quantisation: string
  bitsPerWeight: number
  licence: string
  chatTemplate: string | undefined
  /** The context that the model was trained on; 0 when the file does not say. */
  trainedTokens: number
}

export type ReadFacts<F extends ModelFacts = ModelFacts> = (path: string) => Promise<F | EngineFailure>

/** Architectures that turn text into numbers or images into text, but cannot chat. */
const CANNOT_CHAT = /bert|^clip$|^t5encoder$|embedding|reranker/

/** Read facts once for each state of a file; what failed is read again every time, and so is what is no chat model a failure. */
export function chatFacts<F extends ModelFacts>(read: ReadFacts<F>): ReadFacts<F> {
  const known = new Map<string, { stamp: string; facts: F }>()
  return async path => {
    const stamp = await stampOf(path)
    const hit = known.get(path)
    if (stamp !== undefined && hit?.stamp === stamp) return hit.facts
    known.delete(path)
    const facts = await read(path)
    if (isFailure(facts)) return facts
    if (CANNOT_CHAT.test(facts.architecture)) return cannotChat(path, facts)
    if (stamp !== undefined) known.set(path, { stamp, facts })
    return facts
  }
}

/** What changes when any part of a model does; undefined when one is missing. */
async function stampOf(path: string): Promise<string | undefined> {
  const parts = await Promise.all(allParts(path).map(part => stat(part).catch(() => undefined)))
  return parts.every(part => part !== undefined)
    ? parts.map(({ size, mtimeMs }) => `${size} ${mtimeMs}`).join(', ')
    : undefined
}

const cannotChat = (path: string, { architecture }: ModelFacts): EngineFailure => ({
  code: 'model_unreadable',
  text: `${path} is not made for chats: it is a ${architecture} model.`,
  fix: 'Choose a model that is made to follow instructions.',
})

/** Where a file lies, as far as that says something about the model. */
export type Place = { owned: boolean; vision: string }

/** A local model as a person sees it; one that cannot be read has a problem instead of figures. */
export function describeLocal(
  { id, name, path, demo }: LocalModel,
  facts: ModelFacts | EngineFailure,
  place: Place,
): Model {
  const failed = isFailure(facts)
  const figures = failed ? [] : [parametersIn(facts), facts.architecture]
  return {
    id,
    name,
    kind: demo ? 'builtin' : 'file',
    detail: demo
      ? 'Tiny, and only for a first look. Real work needs a bigger model.'
      : [...figures, shownFolder(path)].join(' · '),
    sizeBytes: failed ? null : facts.sizeBytes,
    contextTokens: failed || facts.trainedTokens === 0 ? null : facts.trainedTokens,
    demo,
    problem: failed ? facts.text : null,
    file: describeFile(path, failed ? nothing : facts, place),
    server: null,
    options: {},
  }
}

/** What is known of a file that cannot be read. */
const nothing: ModelFacts = {
  sizeBytes: 0,
  architecture: '',
  name: '',
  parameters: 0,
  parts: 1,
  quantisation: '',
  bitsPerWeight: 0,
  licence: '',
  chatTemplate: undefined,
  trainedTokens: 0,
}

/** What a file says, with how the model in it calls tools. */
export function describeFile(path: string, facts: ModelFacts, { owned, vision }: Place): ModelFile {
  const { architecture, parameters, parts, quantisation, bitsPerWeight, trainedTokens, licence } = facts
  const template = facts.chatTemplate
  const { id, from } = detectDialect({ template, name: facts.name || basename(path), architecture })
  return {
    path,
    folder: shownFolder(path),
    owned,
    parts,
    architecture,
    parameters,
    quantisation,
    bitsPerWeight,
    trainedTokens,
    licence,
    hasTemplate: template !== undefined,
    dialect: { id, name: dialects[id].label, from },
    vision,
  }
}

function parametersIn({ parameters }: ModelFacts): string {
  const [size, unit] = parameters >= 1e9 ? [parameters / 1e9, 'billion'] : [parameters / 1e6, 'million']
  return `${size.toFixed(size < 10 ? 1 : 0)} ${unit} parameters`
}

/** An engine that was handed to the host as it is. */
export const describeEngine = ({ modelId, name }: LlmEngine): Model => ({
  id: modelId,
  name,
  kind: 'server',
  detail: 'Added by the program that started Talaria.',
  sizeBytes: null,
  contextTokens: null,
  demo: false,
  problem: null,
  file: null,
  server: null,
  options: {},
})
