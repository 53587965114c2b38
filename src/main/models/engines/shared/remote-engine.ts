import { inspect } from 'node:util'
import { servedDialect } from '../../dialects/detect.ts'
import { dialects, type DialectId } from '../../dialects/table.ts'
import type { CompletionEvent, LlmEngine, ModelProfile, Prompt, Sampling } from '../engine.ts'
import { estimateTokens } from '../estimate-tokens.ts'
import { strategyFor } from '../strategy-for.ts'
import { explain } from './explain.ts'
import { keepThoughts, type KeptThoughts } from './kept-thoughts.ts'
import { isNearby } from './nearby.ts'
import { plainFetch, sdkFetch, type Spelling } from './plain-fetch.ts'
import { redact } from './redact.ts'
import { BrokenOff, type ApiWords, type Optional, type Trouble } from './trouble.ts'
import { pause, waitFor } from './waiting.ts'

/** Limits in milliseconds; the defaults are for people, tests shorten them. */
export type Patience = {
  /** Until the first sign of an answer: a server may have to load the model and read a long prompt. */
  firstMs: number
  /** Between two signs. Servers nearby get five times as long: some hold a whole tool call back until it is written. */
  idleMs: number
  /** For what may still follow after the model has ended (usage). */
  closingMs: number
  /** Before each repetition; their number is how often a request is repeated. */
  retryMs: readonly number[]
  /** The longest wait that a server may ask for; beyond it the request fails at once and says so. */
  maxWaitMs: number
}

const PATIENCE: Patience = {
  firstMs: 290_000,
  idleMs: 60_000,
  closingMs: 2_000,
  retryMs: [700, 3_000],
  maxWaitMs: 20_000,
}

/** What is taken for the window of a model when nobody tells. */
export const DEFAULT_CONTEXT = 8_192

/** What a request is for, as the network ledger has it. */
export type Purpose = 'chat' | 'learning' | 'server_check'
/** The way out, for one purpose. */
export type FetchFor = (reason: { purpose: Purpose; subject: string }) => typeof fetch

/** A model on a server. `apiKey` is empty for servers that want none. */
export type RemoteModel = {
  modelId: string
  name: string
  /** As `newServerEntry` writes it. */
  baseUrl: string
  model: string
  apiKey: string
  contextTokens?: number
  strategy?: 'structured' | 'text'
  /** The notation of calls in text that a person chose; what is no dialect counts as no choice. */
  dialect?: string
  /** What a person chose; a prompt that asks for something else gets that. */
  sampling?: Sampling
  patience?: Partial<Patience>
  fetchFor: FetchFor
}

/** One answer while it comes in. */
export type Reader = {
  /** What one piece of the stream says. */
  take(chunk: unknown): Iterable<CompletionEvent>
  /** Why the model ended, in the words of the server; undefined while it has not. */
  finish(): string | undefined
  /** Whether anything was said, calls included. */
  hasSaid(): boolean
  /** The calls as a whole, then `done`. */
  end(): Iterable<CompletionEvent>
}

/** What a server tells of a model: how many tokens it reads at once, and whether it takes tools as data. */
export type ToldOfModel = { contextTokens?: number | undefined; tools?: boolean | undefined }

/** What tells one protocol from another. */
export type Protocol = {
  words: ApiWords
  spelling: Spelling
  /** The strategy of a model that the server says nothing about; by its name when it is left out. */
  strategy?: 'structured'
  /** What every request says of itself, the key included. */
  headers: Record<string, string>
  body(prompt: Prompt, refused: ReadonlySet<Optional>, thoughts: KeptThoughts): object
  /** Send a body and give what is streamed back. */
  open(body: object, fetch: typeof globalThis.fetch, signal: AbortSignal): Promise<AsyncIterable<unknown>>
  read(asked: { prompt: Prompt; promptTokens: number; contextTokens: number }, thoughts: KeptThoughts): Reader
  /** Reasons for an end that leave no answer behind. */
  brokenBy(finish: string | undefined, name: string): Trouble['failure'] | undefined
  /** The window of the model by its name; undefined when it is not known. */
  knownContext: number | undefined
  /** Ask what is not known; undefined when nobody answers. */
  askModel(fetch: typeof globalThis.fetch): Promise<ToldOfModel | undefined>
}

/**
 * An engine behind the protocol of a server. Requests that failed before anything was said are repeated when that can
 * help; text that came before a failure stays valid, calls do not: they come only with a complete answer. `report` gets
 * what nobody foresaw, without the key.
 */
export function createRemoteEngine(
  options: RemoteModel,
  protocol: Protocol,
  report: (error: unknown) => void,
): LlmEngine {
  const { modelId, name, model, apiKey } = options
  const { host, hostname } = new URL(options.baseUrl)
  const nearby = isNearby(hostname)
  const patience = { ...PATIENCE, ...(nearby && { idleMs: PATIENCE.idleMs * 5 }), ...options.patience }
  const fetchFor = (purpose: Purpose) =>
    plainFetch(protocol.headers, options.fetchFor({ purpose, subject: name }))
  /** Parameters that this server has refused, kept so that it is asked only once. */
  const refused = new Set<Optional>()
  const thoughts = keepThoughts()
  let contextTokens = options.contextTokens ?? protocol.knownContext
  let toldStrategy: ModelProfile['strategy'] | undefined

  async function profile(): Promise<ModelProfile> {
    // A server that does not tell is not asked again; one that was down may tell the next time.
    if (contextTokens === undefined) {
      const told = await protocol.askModel(fetchFor('server_check'))
      if (told) contextTokens = told.contextTokens ?? DEFAULT_CONTEXT
      if (told?.tools !== undefined) toldStrategy = told.tools ? 'structured' : 'text'
    }
    const strategy = options.strategy ?? protocol.strategy ?? toldStrategy ?? strategyFor(model)
    // Also for tools as data: the server may refuse them, and then they go as text.
    const chosen = options.dialect ?? ''
    const dialect = chosen in dialects ? (chosen as DialectId) : servedDialect(model)
    const spoken = { dialect, toolRole: false }
    return { strategy, contextTokens: contextTokens ?? DEFAULT_CONTEXT, ...spoken }
  }

  async function* complete(given: Prompt, signal: AbortSignal): AsyncGenerator<CompletionEvent, void, void> {
    const prompt = { ...given, sampling: { ...options.sampling, ...given.sampling } }
    if (!/^[\x21-\x7e]*$/.test(apiKey)) {
      const text = `The API key of ${name} contains characters that no key has.`
      const fix = 'Copy the key again, without spaces or line breaks.'
      yield { type: 'failed', code: 'refused', text, fix }
      return
    }
    const delays = [...patience.retryMs]
    while (!signal.aborted) {
      const trouble = yield* ask(prompt, signal)
      if (!trouble || signal.aborted) return
      if (trouble.without && !refused.has(trouble.without)) {
        refused.add(trouble.without)
        continue
      }
      const delayMs = trouble.retry ? delays.shift() : undefined
      const askedMs = trouble.waitMs ?? 0
      if (delayMs === undefined || askedMs > patience.maxWaitMs) {
        yield { type: 'failed', ...trouble.failure, ...(trouble.elsewhere && { elsewhere: true }) }
        return
      }
      await pause(Math.max(delayMs, askedMs), signal)
    }
  }

  /** One request. Ends with nothing when the answer is complete or `signal` aborted, otherwise with what went wrong. */
  async function* ask(
    prompt: Prompt,
    signal: AbortSignal,
  ): AsyncGenerator<CompletionEvent, Trouble | undefined, void> {
    const line = new AbortController()
    const hangUp = () => line.abort()
    signal.addEventListener('abort', hangUp, { once: true })
    let signAt = 0
    const onBytes = () => {
      signAt = performance.now()
    }
    const wait = (ms: number, begun: boolean) => ({ ms, begun, lastSignAt: () => signAt })
    const body = protocol.body(prompt, refused, thoughts)
    const promptTokens = estimateTokens(JSON.stringify(body))
    const asked = { prompt, promptTokens, contextTokens: contextTokens ?? DEFAULT_CONTEXT }
    const reply = protocol.read(asked, thoughts)
    try {
      const plain = fetchFor(prompt.priority === 'background' ? 'learning' : 'chat')
      const opened = protocol.open(body, sdkFetch(plain, protocol.spelling, onBytes), line.signal)
      const stream = await waitFor(opened, wait(patience.firstMs, false), line.signal)
      const chunks = stream[Symbol.asyncIterator]()
      for (;;) {
        const ended = reply.finish() !== undefined
        // Some servers send an empty chunk at once and only then read the prompt.
        const begun = reply.hasSaid()
        const ms = ended ? patience.closingMs : begun ? patience.idleMs : patience.firstMs
        const next = await waitFor(chunks.next(), wait(ms, begun), line.signal)
        if (signal.aborted) return undefined
        if (next.done) break
        yield* reply.take(next.value)
      }
      if (reply.finish() === undefined) throw new BrokenOff()
    } catch (error) {
      if (signal.aborted) return undefined
      // Once the model has ended, what still fails is no loss.
      if (reply.finish() === undefined) return troubleOf(error, body, reply.hasSaid())
    } finally {
      signal.removeEventListener('abort', hangUp)
      line.abort()
    }
    const broken = protocol.brokenBy(reply.finish(), name)
    if (broken) return { failure: broken, retry: false }
    yield* reply.end()
    return undefined
  }

  function troubleOf(error: unknown, body: object, hasSaid: boolean): Trouble {
    const asked = { name, host, nearby, model, apiKey, api: protocol.words, sent: { ...body } }
    const { cause, ...trouble } = explain(error, asked)
    if (cause !== undefined) report(new Error(`${name}: ${redact(inspect(cause), apiKey)}`))
    return hasSaid ? { failure: trouble.failure, retry: false } : trouble
  }

  return { modelId, name, profile, complete, count: estimateTokens }
}
