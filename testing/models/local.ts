import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EngineState, ModelOptions } from '../../src/shared/contract/models/model.ts'
import type { Usage } from '../../src/shared/contract/chats/messages.ts'
import type { EngineChild, SpawnEngine } from '../../src/main/models/interface/engine-child.ts'
import type {
  CompletionEvent,
  EngineFailure,
  Sampling,
  WireMessage,
} from '../../src/main/models/interface/engine.ts'
import type { Backend } from '../../src/main/models/engines/local/process/backends.ts'
import { forkEngine } from '../../src/main/models/engines/local/process/start-engine.ts'
import { createLocalEngines } from '../../src/main/models/engines/local/local-engine.ts'
import type { LoadableModel } from '../../src/main/models/engines/local/model-slot.ts'
import type { EngineSettings } from '../../src/main/models/engines/local/planning/plan-load.ts'

export const hostings = ['process', 'inline'] as const

/** The result of a completion. */
export type Answer = {
  text: string
  events: CompletionEvent[]
  stop: 'end' | 'length' | undefined
  usage: Usage | undefined
  failure: EngineFailure | undefined
}

export type AskOptions = {
  session?: string
  maxTokens?: number
  sampling?: Sampling
  signal?: AbortSignal
  onEvent?: (event: CompletionEvent) => void
}

/** Local engines, with everything a test wants to observe. */
export function openEngines(
  hosting: EngineSettings['hosting'],
  options: {
    settings?: Partial<EngineSettings>
    optionsFor?: (modelId: string) => ModelOptions
    availableMemory?: () => number
    onState?: (state: EngineState) => void
    installed?: () => readonly Backend[]
    /** The folder where engines save states; none by default. */
    cacheFolder?: string
    /** Replaces real engines. */
    spawn?: SpawnEngine
  } = {},
) {
  const states: EngineState[] = []
  const reports: unknown[] = []
  const children: EngineChild[] = []
  let exits = 0
  const settings: EngineSettings = {
    context_tokens: 8_192,
    threads: 1,
    hosting,
    gpu: 'off',
    state_cache_gib: 0,
    idle_unload_minutes: 0,
    ...options.settings,
  }
  const engines = createLocalEngines({
    spawn(script, env, switches) {
      // Caching compiled code makes a start twice as fast.
      const cached = { ...env, NODE_COMPILE_CACHE: join(tmpdir(), 'talaria-test-cache') }
      const child = (options.spawn ?? forkEngine)(script, cached, switches)
      child.onExit(() => exits++)
      children.push(child)
      return child
    },
    settings: () => settings,
    onState(state) {
      states.push(state)
      options.onState?.(state)
    },
    report: error => reports.push(error),
    ...(options.optionsFor && { optionsFor: options.optionsFor }),
    ...(options.availableMemory && { availableMemory: options.availableMemory }),
    ...(options.installed && { installed: options.installed }),
    ...(options.cacheFolder !== undefined && { cacheFolder: options.cacheFolder }),
  })
  return {
    engines,
    /** Tests may change the settings at any time. */
    settings,
    states,
    reports,
    children,
    get living() {
      return children.length - exits
    },
    ask: (path: string, messages: readonly WireMessage[], asking: AskOptions = {}) =>
      ask(engines.engine(model(path)), messages, asking),
  }
}

/** A model file with its path as id and name. */
export const model = (path: string): LoadableModel => ({ id: path, name: path, path })

export const user = (text: string): WireMessage => ({ role: 'user', text })
export const system = (text: string): WireMessage => ({ role: 'system', text })
export const reply = ({ text }: Answer): WireMessage => ({ role: 'assistant', text, generated: true })

async function ask(
  engine: ReturnType<ReturnType<typeof createLocalEngines>['engine']>,
  messages: readonly WireMessage[],
  // Seeded, because random weights may end a reply by chance.
  { session = 'chat', maxTokens, sampling = { seed: 7 }, signal, onEvent }: AskOptions,
): Promise<Answer> {
  const answer: Answer = { text: '', events: [], stop: undefined, usage: undefined, failure: undefined }
  const prompt = {
    sessionId: session,
    messages,
    tools: [],
    ...(maxTokens !== undefined && { maxTokens }),
    sampling,
  }
  for await (const event of engine.complete(prompt, signal ?? new AbortController().signal)) {
    answer.events.push(event)
    if (event.type === 'text') answer.text += event.text
    if (event.type === 'done') Object.assign(answer, { stop: event.stop, usage: event.usage })
    if (event.type === 'failed') answer.failure = event
    onEvent?.(event)
  }
  return answer
}
