import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EngineState, ModelOptions } from '../../../shared/contract/model.ts'
import type { Usage } from '../../../shared/contract/messages.ts'
import type { EngineChild, SpawnEngine } from '../../host-types.ts'
import type { CompletionEvent, EngineFailure, Sampling, WireMessage } from '../engine.ts'
import type { Backend } from './backends.ts'
import { forkEngine } from './fork-engine.ts'
import { createLocalEngines } from './local-engine.ts'
import type { EngineSettings, LocalModel } from './local-engine.ts'

export const hostings = ['process', 'inline'] as const

/** What a completion came to. */
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

/** Local engines with everything that a test wants to see of them. */
export function openEngines(
  hosting: EngineSettings['hosting'],
  options: {
    settings?: Partial<EngineSettings>
    optionsFor?: (modelId: string) => ModelOptions
    availableMemory?: () => number
    onState?: (state: EngineState) => void
    installed?: () => readonly Backend[]
    /** What stands in for engines, where no real ones are wanted. */
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
    spawn(script, env) {
      // Compiled code is kept between starts, which makes a start twice as fast.
      const child = (options.spawn ?? forkEngine)(script, {
        ...env,
        NODE_COMPILE_CACHE: join(tmpdir(), 'talaria-test-cache'),
      })
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
  })
  return {
    engines,
    /** They may be changed at any time. */
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

/** A model file under its own path as id and name. */
export const model = (path: string): LocalModel => ({ id: path, name: path, path })

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
