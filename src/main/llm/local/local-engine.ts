import { stat } from 'node:fs/promises'
import type { EngineState } from '../../../shared/contract/model.ts'
import type { SpawnEngine } from '../../host-types.ts'
import { isFailure } from '../engine.ts'
import type { CompletionEvent, EngineFailure, LlmEngine, ModelProfile, Prompt } from '../engine.ts'
import { estimateTokens } from '../estimate-tokens.ts'
import { isDemo } from './demo-model.ts'
import type { EngineProgress } from './protocol.ts'
import { sampleText } from './protocol.ts'
import { openEventQueue } from './event-queue.ts'
import { readGguf } from './gguf-file.ts'
import type { GgufFacts } from './gguf-file.ts'
import { createModelSlot, unloaded } from './model-slot.ts'
import type { LocalModel } from './model-slot.ts'
import { spokenBy } from './spoken-by.ts'
import { statesIn } from './state-folder.ts'
import { forgetChats } from './states/clean-folder.ts'
import { createStartModel } from './start-model.ts'
import type { EngineSettings } from './start-model.ts'

export type { LocalModel } from './model-slot.ts'
export type { EngineSettings } from './start-model.ts'

/** An engine for one GGUF file. */
export type LocalEngine = LlmEngine & {
  /** The exact tokens of a text when the model is loaded, the estimate of `count` otherwise. */
  countExact(text: string): Promise<number>
}

/** All models that run on this machine; one of them is in memory at a time. */
export type LocalEngines = {
  readonly state: EngineState
  /** The engine for a file; making one costs nothing, the model is loaded when it is first asked something. */
  engine: (model: LocalModel) => LocalEngine
  /** Load a model now; gives the reason when that is not possible. */
  load: (model: LocalModel) => Promise<EngineFailure | undefined>
  /** Let go of whatever a chat has left behind, in memory and on disk. */
  forget: (sessionId: string) => Promise<void>
  /** Give the memory back now; whoever waits for an answer gets a failure. */
  unload: () => Promise<void>
  close: () => Promise<void>
}

type Parts = {
  spawn: SpawnEngine
  config: EngineSettings
  onState: (state: EngineState) => void
  report: (error: unknown) => void
  /** The folder for what may be deleted at any time; without one nothing is kept between starts. */
  cacheFolder?: string
  /** Memory that a model may take, in bytes; default what the system says. */
  availableMemory?: () => number
}

/** Tokens of one reply of the demo model. */
const DEMO_REPLY = 200

/** Make the local engines; nothing is started before a model is needed. */
export function createLocalEngines({ config, onState, ...parts }: Parts): LocalEngines {
  const read = rememberFacts()
  const starter = createStartModel({ ...parts, read, settings: config })
  const idleMs = config.idle_unload_minutes * 60_000
  const slot = createModelSlot(starter.start, { idleMs, hosting: config.hosting, onState })
  const never = new AbortController().signal

  const profile = async (model: LocalModel): Promise<ModelProfile | EngineFailure> => {
    const facts = await read(model.path)
    if (isFailure(facts)) return facts
    const contextTokens = slot.ready(model)?.loaded.contextTokens ?? starter.contextTokens(facts)
    if (typeof contextTokens !== 'number') return contextTokens
    const prompt = isDemo(facts) ? 'demo' : 'standard'
    return { strategy: 'text', prompt, contextTokens, ...spokenBy(facts) }
  }

  /** Ask the model and put into the queue what it says; the lease is held until the engine has really stopped. */
  const answer = async (
    model: LocalModel,
    prompt: Prompt,
    signal: AbortSignal,
    push: (event: CompletionEvent) => void,
  ): Promise<void> => {
    const waiting = slot.ready(model) === undefined
    const onProgress = (done: number) => push({ type: 'progress', phase: 'loading', done, total: 1 })
    if (waiting) onProgress(0)
    const lease = await slot.acquire(model, signal, onProgress)
    if (!lease) return
    if (!('link' in lease)) return push({ type: 'failed', ...lease })
    try {
      const result = await lease.link.ask(
        { t: 'complete', prompt: plainPrompt({ ...(await limitsOf(model)), ...prompt }) },
        { signal, onProgress: event => push(eventOf(event)) },
      )
      if (result.kind === 'failed' && result.trace) parts.report(new Error(result.trace))
      if (result.kind === 'done' && result.trouble) parts.report(new Error(result.trouble))
      if (result.kind === 'done') push({ type: 'done', stop: result.stop, usage: result.usage })
      else if (result.kind === 'failed') push({ type: 'failed', ...result.failure })
      else if (lease.isOver) push({ type: 'failed', ...unloaded })
      else if (result.kind === 'lost') push({ type: 'failed', ...gone(result.how) })
    } finally {
      lease.release()
    }
  }

  /** The demo model never has much to say; when it goes on, it babbles to the end of its window. */
  const limitsOf = async ({ path }: LocalModel): Promise<Pick<Prompt, 'maxTokens'>> => {
    const facts = await read(path)
    return 'code' in facts || !isDemo(facts) ? {} : { maxTokens: DEMO_REPLY }
  }

  const count = (model: LocalModel, text: string): number => {
    const estimate = estimateTokens(text)
    const ready = slot.ready(model)
    // The estimate knows the text and not the vocabulary; how they compare was measured when the model was loaded.
    return ready ? Math.ceil((estimate * ready.loaded.sampleTokens) / estimateTokens(sampleText)) : estimate
  }

  return {
    get state() {
      return slot.state
    },
    engine: model => ({
      modelId: model.id,
      name: model.name,
      profile: () => profile(model),
      async *complete(prompt, signal) {
        const left = new AbortController()
        const stop = AbortSignal.any([signal, left.signal])
        const queue = openEventQueue<CompletionEvent>(stop)
        answer(model, prompt, stop, queue.push)
          .catch((error: unknown) => {
            parts.report(error)
            queue.push({ type: 'failed', ...mistake })
          })
          .finally(queue.end)
        try {
          yield* queue.items()
        } finally {
          left.abort()
        }
      },
      count: text => count(model, text),
      async countExact(text) {
        const result = await slot.ready(model)?.link.ask({ t: 'count', text })
        return result?.kind === 'count' ? result.tokens : count(model, text)
      },
    }),
    async load(model) {
      const lease = await slot.acquire(model, never)
      if (lease && 'code' in lease) return lease
      lease?.release()
      return undefined
    },
    async forget(sessionId) {
      await slot.present?.link.ask({ t: 'forget', sessionId })
      if (parts.cacheFolder !== undefined) await forgetChats(statesIn(parts.cacheFolder))
    },
    unload: slot.clear,
    close: slot.close,
  }
}

/** A header is read once for as long as the file does not change. */
function rememberFacts() {
  const known = new Map<string, { key: string; facts: GgufFacts }>()
  return async (path: string, options: { checkVocabulary?: boolean } = {}) => {
    const stats = await stat(path).catch(() => undefined)
    const key = `${stats?.mtimeMs} ${stats?.size} ${options.checkVocabulary === true}`
    const remembered = known.get(path)
    if (stats && remembered?.key === key) return remembered.facts
    const facts = await readGguf(path, options)
    if (!isFailure(facts)) known.set(path, { key, facts })
    return facts
  }
}

/** Only what the engine needs goes through the pipe. */
const plainPrompt = ({ messages, tools: _tools, ...prompt }: Prompt): Prompt => ({
  ...prompt,
  messages: messages.map(({ calls: _calls, callId: _callId, ...message }) => message),
  tools: [],
})

const eventOf = (event: EngineProgress): CompletionEvent =>
  event.t === 'text'
    ? { type: 'text', text: event.text }
    : { type: 'progress', phase: event.phase, done: event.done, total: event.total }

const gone = (how: string): EngineFailure => ({
  code: 'engine_gone',
  text: `The engine for local models stopped while it was answering (${how}).`,
  fix: 'Try again: it starts anew by itself.',
})

const mistake: EngineFailure = {
  code: 'internal',
  text: 'Talaria made a mistake while it was talking to the engine.',
  fix: 'Try again; the log has the details.',
}
