import type { FetchFor } from '../../src/main/models/engines/shared/remote-engine.ts'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { startOpenAiServer, type OpenAiServer, type ServedReply } from '../servers/openai-server.ts'
import type {
  CompletionEvent,
  EngineFailure,
  LlmEngine,
  Prompt,
} from '../../src/main/models/interface/engine.ts'
import { createOpenAiEngine, type OpenAiModel } from '../../src/main/models/engines/openai/openai-engine.ts'

type Purpose = Parameters<FetchFor>[0]['purpose']

export const KEY = 'sk-very-secret-key-0123456789'
export const TOOL = {
  name: 'list_files',
  description: 'List a folder.',
  parameters: { type: 'object', properties: {} },
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

export const aPrompt = (changes: Partial<Prompt> = {}): Prompt => ({
  sessionId: 's1',
  messages: [{ role: 'user', text: 'Hello' }],
  tools: [],
  ...changes,
})

/** A server for the tests of one file, an engine for it with short timeouts, and the reported errors. */
export function setUpServer() {
  const reported: unknown[] = []
  const asked: { purpose: Purpose; subject: string }[] = []
  const context = { reported, asked, anEngine, answer } as {
    server: OpenAiServer
    reported: unknown[]
    /** The purposes for which a `fetch` was requested. */
    asked: typeof asked
    anEngine: typeof anEngine
    answer: typeof answer
  }
  beforeAll(async () => {
    context.server = await startOpenAiServer()
  })
  afterEach(() => {
    context.server.requests.length = 0
    reported.length = 0
    asked.length = 0
  })
  afterAll(() => context.server.close())
  return context

  function anEngine(options: Partial<OpenAiModel> = {}): LlmEngine {
    const settings = {
      modelId: 'server:test',
      name: 'Test server',
      baseUrl: context.server.baseUrl,
      model: 'test-model',
      apiKey: KEY,
      contextTokens: 4_096,
      fetchFor: (reason: (typeof asked)[number]) => {
        asked.push(reason)
        return fetch
      },
      ...options,
      patience: { ...PATIENCE, ...options.patience },
    }
    return createOpenAiEngine(settings, error => reported.push(error))
  }

  /** All events of an engine when the server gives these replies, one per request. */
  async function answer(
    reply: ServedReply | ServedReply[],
    options: Partial<OpenAiModel> = {},
    prompt: Partial<Prompt> = {},
  ): Promise<CompletionEvent[]> {
    context.server.reply(...[reply].flat())
    return collect(anEngine(options).complete(aPrompt(prompt), never))
  }
}

export async function collect(events: AsyncIterable<CompletionEvent>): Promise<CompletionEvent[]> {
  const all: CompletionEvent[] = []
  for await (const event of events) all.push(event)
  return all
}

export function failureOf(events: CompletionEvent[]): EngineFailure {
  const last = events.at(-1)
  if (last?.type !== 'failed') throw new Error(`It ended with ${JSON.stringify(last)}.`)
  return { code: last.code, text: last.text, fix: last.fix }
}

export const textOf = (events: CompletionEvent[]) =>
  events.map(each => (each.type === 'text' ? each.text : '')).join('')

export const callsOf = (events: CompletionEvent[]) =>
  events.flatMap(each => (each.type === 'call' ? [each] : []))

/** An error as worded by OpenAI. */
export const anError = (message: string, more: object = {}) => ({ error: { message, ...more } })
