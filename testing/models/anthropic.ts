import type { FetchFor } from '../../src/main/models/engines/shared/remote-engine.ts'
import { afterAll, afterEach, beforeAll } from 'vitest'
import {
  startAnthropicServer,
  type AnthropicServer,
  type ServedMessage,
} from '../servers/anthropic-server.ts'
import type {
  CompletionEvent,
  EngineFailure,
  LlmEngine,
  Prompt,
  WireMessage,
} from '../../src/main/models/interface/engine.ts'
import {
  createAnthropicEngine,
  type AnthropicModel,
} from '../../src/main/models/engines/anthropic/anthropic-engine.ts'

type Purpose = Parameters<FetchFor>[0]['purpose']

export const KEY = 'sk-ant-very-secret-0123456789'
export const TOOL = {
  name: 'read_file',
  description: 'Read a file.',
  parameters: { type: 'object', properties: { path: { type: 'string' } } },
}
/** A signal that never aborts. */
export const never = new AbortController().signal

const PATIENCE = {
  firstMs: 5_000,
  idleMs: 5_000,
  closingMs: 100,
  loadingMs: 5,
  retryMs: [1, 1],
  maxWaitMs: 50,
}

export const user = (text: string): WireMessage => ({ role: 'user', text })

export const aPrompt = (changes: Partial<Prompt> = {}): Prompt => ({
  sessionId: 's1',
  messages: [user('Hello')],
  tools: [],
  ...changes,
})

/** A server for the tests of one file, engines for it with short timeouts, and the reported errors. */
export function setUpServer() {
  const reported: unknown[] = []
  const asked: { purpose: Purpose; subject: string }[] = []
  const context = { reported, asked, anEngine, answer } as {
    server: AnthropicServer
    reported: unknown[]
    asked: typeof asked
    anEngine: typeof anEngine
    answer: typeof answer
  }
  beforeAll(async () => {
    context.server = await startAnthropicServer()
  })
  afterEach(() => {
    context.server.requests.length = 0
    reported.length = 0
    asked.length = 0
  })
  afterAll(() => context.server.close())
  return context

  function anEngine(options: Partial<AnthropicModel> = {}): LlmEngine {
    const settings = {
      modelId: 'server:claude',
      name: 'Claude',
      baseUrl: context.server.baseUrl,
      model: 'claude-test',
      apiKey: KEY,
      contextTokens: 100_000,
      fetchFor: (reason: (typeof asked)[number]) => {
        asked.push(reason)
        return fetch
      },
      ...options,
      patience: { ...PATIENCE, ...options.patience },
    }
    return createAnthropicEngine(settings, error => reported.push(error))
  }

  /** All events of an engine when the server gives these replies, one per request. */
  async function answer(
    reply: ServedMessage | ServedMessage[],
    options: Partial<AnthropicModel> = {},
    prompt: Partial<Prompt> = {},
  ): Promise<CompletionEvent[]> {
    context.server.reply(...[reply].flat())
    return Array.fromAsync(anEngine(options).complete(aPrompt(prompt), never))
  }
}

export function failureOf(events: CompletionEvent[]): EngineFailure {
  const last = events.at(-1)
  if (last?.type !== 'failed') throw new Error(`It ended with ${JSON.stringify(last)}.`)
  return { code: last.code, text: last.text, fix: last.fix }
}

export const usageOf = (events: CompletionEvent[]) => {
  const last = events.at(-1)
  if (last?.type !== 'done') throw new Error(`It ended with ${JSON.stringify(last)}.`)
  return last.usage
}

export const textOf = (events: CompletionEvent[]) =>
  events.map(each => (each.type === 'text' ? each.text : '')).join('')
