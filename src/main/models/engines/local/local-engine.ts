import { stat } from 'node:fs/promises'
import { totalmem } from 'node:os'
import type {
  Benchmark,
  EngineInfo,
  EngineState,
  Gpu,
  ModelOptions,
} from '../../../../shared/contract/models/model.ts'
import { sayRefusal } from '../../../../shared/words/model-words.ts'
import { formats, type FormatId } from '../../formats/format-table.ts'
import type { SpawnEngine } from '../../interface/engine-child.ts'
import {
  isFailure,
  type CompletionEvent,
  type EngineFailure,
  type LlmEngine,
  type ModelProfile,
  type Prompt,
  type Sampling,
} from '../../interface/engine.ts'
import { estimateTokens } from '../../../../shared/text/estimate-tokens.ts'
import { countWithLines } from '../../interface/token-counts.ts'
import { judgeFile } from '../../judge-file.ts'
import { installedBackends } from './process/backends.ts'
import { isBuiltinModel, isSmallModel, readGguf, type GgufFacts } from './gguf/read-gguf.ts'
import { collectDiagnostics } from './engine-diagnostics.ts'
import { type EngineProgress, sampleText } from './process/protocol.ts'
import { openEventQueue } from './async-queues.ts'
import type { FitRoom } from './planning/memory-fit.ts'
import { createGpuState } from './gpu-state.ts'
import { createModelSlot, unloaded, type Acquiring, type LoadableModel } from './model-slot.ts'
import type { EngineSettings, LoadWish } from './planning/plan-load.ts'
import { formatOfModel } from './templates/model-format.ts'
import { statesIn, forgetChats } from './states/state-folder.ts'
import type { EngineLink } from './process/start-engine.ts'
import { createStartModel } from './start-model.ts'

/** An engine for one GGUF file. */
export type LocalEngine = LlmEngine & {
  /** Return the exact token count if the model is loaded, otherwise the estimate of `count`. */
  countExact(text: string): Promise<number>
}

/** All local models. Only one of them is in memory at a time. */
export type LocalEngines = {
  readonly state: EngineState
  /**
   * Return the engine for a file. Creating it is free; the model is loaded at the first question. With
   * `spares`, a question fails if it would evict such a model, or one that is in use.
   */
  engine: (model: LoadableModel, how?: Pick<Acquiring, 'spares'>) => LocalEngine
  /**
   * Load a model now, or reload it if its settings changed. Returns the failure, if any. The wish applies
   * until the user unloads the model or loads another one.
   */
  load: (model: LoadableModel, wish?: LoadWish) => Promise<EngineFailure | undefined>
  /** Stop loading; does nothing if nothing is loading. */
  cancelLoad: () => Promise<void>
  /** The graphics card in use; null if there is none or it is disabled. */
  gpu: () => Promise<Gpu | null>
  /** The memory that a model could get now, for `fitOf`. The first call probes for the graphics card. */
  room: () => Promise<FitRoom>
  /** Like `room`, but at once: before the first probe it uses the card to expect. */
  expectedRoom: () => FitRoom
  /** How many chats a model holds in memory at the same time; 1 while it is not loaded. */
  chatsAtOnce: (modelId: string) => number
  info: () => Promise<Omit<EngineInfo, 'benchmarks'>>
  /** Measure the speed of a model, loading it first if necessary. */
  benchmark: (model: LoadableModel, signal: AbortSignal) => Promise<Benchmark | EngineFailure>
  /** Send a model's engine a request that is not a prompt. Loads the model if necessary. Never rejects. */
  ask: (
    model: LoadableModel,
    question: Parameters<EngineLink['ask']>[0],
    signal: AbortSignal,
  ) => ReturnType<EngineLink['ask']>
  /** Delete everything that a chat has left in memory and on disk; without `sessionId`, for all chats. */
  forget: (sessionId?: string) => Promise<void>
  /** Free the memory now. Running requests fail. */
  unload: () => Promise<void>
  close: () => Promise<void>
}

type Parts = {
  spawn: SpawnEngine
  /** The engine settings, read again at every load. */
  settings: () => EngineSettings
  /** The user's settings for a model; empty by default. */
  optionsFor?: (modelId: string) => ModelOptions
  onState: (state: EngineState) => void
  report: (error: unknown) => void
  /** Log something that is not an error, such as a file without a chat template. */
  remark?: (text: string) => void
  /** Folder for disposable data; without one, nothing is kept between starts. */
  cacheFolder?: string
  /** Memory that a model may take, in bytes; by default what the system reports. */
  availableMemory?: () => number
  /** Back ends with binaries; by default the installed ones. */
  installed?: typeof installedBackends
}

/** Token limit for a reply of the built-in model; longer than any reply in its training data. */
const BUILTIN_REPLY = 400

/** Maximum tokens of a small model's answer without a call: it seldom stops a long one on its own. */
const SMALL_ANSWER = 1_500

/** Create the local engines. Nothing starts until a model is needed. */
export function createLocalEngines({ settings, onState, ...parts }: Parts): LocalEngines {
  const read = rememberFacts()
  const { optionsFor = noOptions, installed = installedBackends } = parts
  const { report, cacheFolder } = parts
  const graphics = createGpuState({ setting: () => settings().gpu, installed, report, cacheFolder })
  const starter = createStartModel({ ...parts, settings, optionsFor, graphics, read })
  const idleMs = () => settings().idle_unload_minutes * 60_000
  const keep = async (link: EngineLink) => {
    const result = await link.ask({ t: 'keep' })
    if (result.kind === 'kept' && result.trouble) report(new Error(result.trouble))
  }
  const slot = createModelSlot(starter.start, { idleMs, hosting: settings().hosting, onState, keep })
  const never = new AbortController().signal
  /** Chats whose user was told that the model's chat template refuses them. */
  const refused = new Set<string>()
  /** The wish of the last load that the user requested. */
  let byHand: { modelId: string; wish: LoadWish } | undefined

  const wishFor = (model: LoadableModel): LoadWish => (byHand?.modelId === model.id ? byHand.wish : {})
  const acquire = (model: LoadableModel, signal: AbortSignal, how: Acquiring = {}) => {
    const wish = how.wish ?? wishFor(model)
    return slot.acquire(model, signal, { ...how, wish, key: starter.keyOf(model, wish) })
  }

  const profile = async (
    model: LoadableModel,
    how: Acquiring = {},
  ): Promise<ModelProfile | EngineFailure> => {
    const facts = await read(model.path)
    if (isFailure(facts)) return facts
    const contextTokens =
      slot.ready(model)?.loaded.contextTokens ?? (await starter.contextTokens(model, facts, wishFor(model)))
    if (typeof contextTokens !== 'number') {
      // A load fails at once for the same reason, and records in the state what can be done about it.
      void acquire(model, never, how).then(lease => lease && 'link' in lease && lease.release())
      return contextTokens
    }
    const { format, thinking } = optionsFor(model.id)
    const { kind, madeForTools } = judgeFile(facts)
    return {
      strategy: 'text',
      contextTokens,
      ...formatOfModel(facts, thinking),
      ...(isFormat(format) && { format }),
      ...(isBuiltinModel(facts) && { guided: true as const }),
      sees: false,
      ...(isSmallModel(facts) && { plainTokens: SMALL_ANSWER }),
      ...(kind === 'base' && { base: true as const }),
      ...(madeForTools && { madeForTools: true as const }),
    }
  }

  /** Ask the model and queue its output. Keeps the lease until the engine has really stopped. */
  const answer = async (
    model: LoadableModel,
    prompt: Prompt,
    signal: AbortSignal,
    push: (event: CompletionEvent) => void,
    how: Acquiring = {},
  ): Promise<void> => {
    const waiting = slot.ready(model) === undefined
    const onProgress = (done: number) => push({ type: 'progress', phase: 'loading', done, total: 1 })
    if (waiting) onProgress(0)
    const lease = await acquire(model, signal, { ...how, onProgress })
    if (!lease) return
    if (!('link' in lease)) return push({ type: 'failed', ...lease })
    try {
      const result = await lease.link.ask(
        {
          t: 'complete',
          prompt: plainPrompt({ ...(await limitsOf(model)), ...withOptions(model, prompt) }),
        },
        {
          signal,
          onProgress(event) {
            if (event.t !== 'refusal') return push(eventOf(event))
            const chat = JSON.stringify([model.id, prompt.sessionId])
            if (prompt.priority !== 'background' && !refused.has(chat))
              push({ type: 'notice', text: sayRefusal(event.refusal) })
            refused.add(chat)
          },
        },
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

  /** Add the user's sampling and thinking to a prompt. They apply even to a model that is already loaded. */
  const withOptions = (model: LoadableModel, prompt: Prompt): Prompt => {
    const options = optionsFor(model.id)
    const { thinking } = options
    const sampling = { ...samplingOf(options), ...prompt.sampling }
    return {
      ...prompt,
      ...(Object.keys(sampling).length > 0 && { sampling }),
      ...(thinking !== undefined && { thinking }),
    }
  }

  /** Limit the built-in model's replies, which are short: it could babble until its context is full. */
  const limitsOf = async ({ path }: LoadableModel): Promise<Pick<Prompt, 'maxTokens'>> => {
    const facts = await read(path)
    return 'code' in facts || !isBuiltinModel(facts) ? {} : { maxTokens: BUILTIN_REPLY }
  }

  const count = (model: LoadableModel, text: string): number => {
    const ready = slot.ready(model)
    // The estimate does not know the vocabulary. Loading the model measured the ratio between the two.
    const scale = ready ? ready.loaded.sampleTokens / estimateTokens(sampleText) : 1
    return Math.ceil(countWithLines(text, read.linesOf(model.path), part => estimateTokens(part) * scale))
  }

  return {
    get state() {
      return slot.state
    },
    engine: (model, how) => ({
      modelId: model.id,
      name: model.name,
      profile: () => profile(model, how),
      async *complete(prompt, signal) {
        const left = new AbortController()
        const stop = AbortSignal.any([signal, left.signal])
        const queue = openEventQueue<CompletionEvent>(stop)
        answer(model, prompt, stop, queue.push, how)
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
    async load(model, wish = {}) {
      const mine = { modelId: model.id, wish }
      byHand = mine
      const lease = await acquire(model, never, { wish, again: true })
      if (lease && 'code' in lease) {
        // A wish that failed must not apply to the next chat.
        if (byHand === mine) byHand = undefined
        return lease
      }
      lease?.release()
      return undefined
    },
    cancelLoad: slot.cancel,
    gpu: starter.card,
    async room() {
      return { gpu: await starter.card(), totalBytes: totalmem(), ...starter.memory() }
    },
    expectedRoom() {
      const { card, expected } = graphics
      return { gpu: expected, isExpected: card === undefined, totalBytes: totalmem(), ...starter.memory() }
    },
    chatsAtOnce: modelId => (slot.state.modelId === modelId ? (slot.present?.loaded.sequences ?? 1) : 1),
    async info() {
      const runtime = await starter.runtime()
      const loaded = slot.present?.loaded
      const backend = loaded?.backend ?? (await starter.card())?.backend ?? 'cpu'
      return {
        ...(await collectDiagnostics({
          runtime,
          loaded,
          state: slot.state,
          settings: settings(),
          trouble: graphics.trouble,
          installed: installed(),
        })),
        backend,
        devices: backend === 'cpu' ? [] : (graphics.card?.names ?? []),
        installed: [...installed()],
        threads: loaded?.threads ?? null,
        idleUnloadMinutes: settings().idle_unload_minutes,
        formats: Object.values(formats).map(({ id, label }) => ({ id, name: label })),
      }
    },
    async benchmark(model, signal) {
      const lease = await acquire(model, signal)
      if (!lease) return stopped
      if ('code' in lease) return lease
      try {
        const result = await lease.link.ask({ t: 'benchmark' }, { signal })
        if (result.kind === 'measured') {
          const { kind: _, ...speeds } = result
          const { backend } = lease.loaded
          return { modelId: model.id, modelName: model.name, at: Date.now(), backend, ...speeds }
        }
        if (result.kind === 'failed') return result.failure
        return result.kind === 'lost' ? (lease.isOver ? unloaded : gone(result.how)) : stopped
      } finally {
        lease.release()
      }
    },
    async ask(model, question, signal) {
      const lease = await acquire(model, signal)
      if (!lease) return { kind: 'stopped' }
      if ('code' in lease) return { kind: 'failed', failure: lease }
      return lease.link.ask(question, { signal }).finally(lease.release)
    },
    async forget(sessionId) {
      await slot.present?.link.ask({ t: 'forget', sessionId })
      // An engine that is being ended first saves its tokens.
      await slot.left()
      if (parts.cacheFolder !== undefined) await forgetChats(statesIn(parts.cacheFolder), sessionId)
    },
    unload() {
      byHand = undefined
      return slot.clear()
    },
    async close() {
      await Promise.all([slot.close(), starter.close()])
    },
  }
}

const noOptions = (): ModelOptions => ({})

/** Read headers, and cache each until its file changes. */
function rememberFacts() {
  const known = new Map<string, { key: string; facts: GgufFacts }>()
  const read = async (path: string, options: { checkVocabulary?: boolean } = {}) => {
    const stats = await stat(path).catch(() => undefined)
    const key = `${stats?.mtimeMs} ${stats?.size} ${options.checkVocabulary === true}`
    const remembered = known.get(path)
    if (stats && remembered?.key === key) return remembered.facts
    const facts = await readGguf(path, options)
    if (!isFailure(facts)) known.set(path, { key, facts })
    return facts
  }
  /** Return the lines that are a single token, if the header has been read. */
  const linesOf = (path: string): ReadonlySet<string> => known.get(path)?.facts.lines ?? noLines
  return Object.assign(read, { linesOf })
}

const noLines: ReadonlySet<string> = new Set()

/** Leave out the fields that the engine does not need. */
const plainPrompt = ({ messages, tools: _tools, ...prompt }: Prompt): Prompt => ({
  ...prompt,
  messages: messages.map(({ calls: _calls, callId: _callId, ...message }) => message),
  tools: [],
})

function eventOf(event: Exclude<EngineProgress, { t: 'refusal' }>): CompletionEvent {
  const { id: _id, t: kind, ...what } = event
  if ('promptTokens' in what) return { type: 'read', ...what }
  if ('phase' in what) return { type: 'progress', ...what }
  return kind === 'open' ? { type: 'prompt_end', text: what.text } : { type: 'text', text: what.text }
}

const isFormat = (id: string | undefined): id is FormatId => id !== undefined && Object.hasOwn(formats, id)

const samplingOf = ({ temperature, topK, topP, minP, repeatPenalty }: ModelOptions): Sampling => ({
  ...(temperature !== undefined && { temperature }),
  ...(topK !== undefined && { topK }),
  ...(topP !== undefined && { topP }),
  ...(minP !== undefined && { minP }),
  ...(repeatPenalty !== undefined && { repeatPenalty }),
})

const stopped: EngineFailure = { code: 'engine_gone', text: 'The measurement was stopped.', fix: '' }

const gone = (how: string): EngineFailure => ({
  code: 'engine_gone',
  text: `The engine for local models stopped while it was answering (${how}).`,
  fix: 'Try again. It restarts automatically.',
})

const mistake: EngineFailure = {
  code: 'internal',
  text: 'Talaria made a mistake while it was talking to the engine.',
  fix: 'Try again; the log has the details.',
}
