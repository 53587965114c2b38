import { stat } from 'node:fs/promises'
import type { Model } from '../../shared/contract/model.ts'
import { isFailure, type EngineFailure, type LlmEngine } from './engine.ts'
import { shownFolder } from './model-files.ts'
import type { ServerEntry } from './server-entry.ts'

/** A model that runs on this machine. */
export type LocalModel = { id: string; name: string; path: string; demo: boolean }

/** What a file says about the model in it, before any weights are loaded. */
export type ModelFacts = {
  /** Of all parts, when the model is split over several files. */
  sizeBytes: number
  architecture: string
  parameters: number
  /** The context that the model was trained on; 0 when the file does not say. */
  trainedTokens: number
}

export type ReadFacts = (path: string) => Promise<ModelFacts | EngineFailure>

/** Architectures that turn text into numbers or images into text, but cannot chat. */
const CANNOT_CHAT = /bert|^clip$|^t5encoder$|embedding|reranker/

/** Read facts once for each state of a file; what failed is read again every time, and so is what is no chat model a failure. */
export function chatFacts(read: ReadFacts): ReadFacts {
  const known = new Map<string, { stamp: string; facts: ModelFacts }>()
  return async path => {
    const stats = await stat(path).catch(() => undefined)
    const stamp = `${stats?.size} ${stats?.mtimeMs}`
    const hit = known.get(path)
    if (stats && hit?.stamp === stamp) return hit.facts
    known.delete(path)
    const facts = await read(path)
    if (isFailure(facts)) return facts
    if (CANNOT_CHAT.test(facts.architecture)) return cannotChat(path, facts)
    known.set(path, { stamp, facts })
    return facts
  }
}

const cannotChat = (path: string, { architecture }: ModelFacts): EngineFailure => ({
  code: 'model_unreadable',
  text: `${path} is not made for chats: it is a ${architecture} model.`,
  fix: 'Choose a model that is made to follow instructions.',
})

/** A local model as a person sees it; one that cannot be read has a problem instead of figures. */
export function describeLocal(
  { id, name, path, demo }: LocalModel,
  facts: ModelFacts | EngineFailure,
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
  }
}

function parametersIn({ parameters }: ModelFacts): string {
  const [size, unit] = parameters >= 1e9 ? [parameters / 1e9, 'billion'] : [parameters / 1e6, 'million']
  return `${size.toFixed(size < 10 ? 1 : 0)} ${unit} parameters`
}

const REMOTE = { kind: 'server', sizeBytes: null, contextTokens: null, demo: false, problem: null } as const

/** A model on a server as a person sees it; nobody asks the server for this. */
export const describeServer = (id: string, server: ServerEntry): Model => ({
  ...REMOTE,
  id,
  name: server.name,
  detail: `${server.model} · ${URL.parse(server.base_url)?.host ?? server.base_url}`,
  contextTokens: server.context_tokens ?? null,
})

/** An engine that was handed to the host as it is. */
export const describeEngine = ({ modelId, name }: LlmEngine): Model => ({
  ...REMOTE,
  id: modelId,
  name,
  detail: 'Added by the program that started Talaria.',
})
