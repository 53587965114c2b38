import { setTimeout as delay } from 'node:timers/promises'
import { inspect } from 'node:util'
import type { CompletionEvent, LlmEngine, ModelProfile, Prompt, Sampling } from '../../interface/engine.ts'
import { estimateTokens } from '../../../../shared/text/estimate-tokens.ts'
import { pictureTokens } from '../../interface/token-counts.ts'
import { servedFormat } from '../../formats/detect-format.ts'
import { formats, type FormatId } from '../../formats/format-table.ts'
import { strategyFor } from '../../guess-strategy.ts'
import { inSlices, MOST_ANSWER } from './bound-answer.ts'
import { explainRequestError } from './explain-request-error.ts'
import { continueReply } from './continue-reply.ts'
import { keepThoughts, type KeptThoughts } from './kept-thoughts.ts'
import {
  BrokenOff,
  type ApiWords,
  type OptionalField,
  type RequestFailure,
  Stalled,
} from './request-failure.ts'
import { isOnOwnNetwork } from './own-network.ts'
import { plainFetch, sdkFetch, type StreamFormat } from './sdk-fetch.ts'
import { redactEagerly } from '../../../untrusted/redact.ts'
import { letOthersRun } from '../../../lib/timing.ts'

/** Timeouts in ms. The defaults suit users; tests shorten them. */
type Patience = {
  /**
   * How long to wait for the first sign of an answer, also while a server is loading its model. Loading and a
   * long prompt both take long. Default: `firstWait`.
   */
  firstMs: number | undefined
  /** How long to pause between two requests to a server that is loading its model. */
  loadingMs: number
  /**
   * How long to wait between two signs of life. Servers on this network get five times as long, because some
   * hold a tool call back until it is complete.
   */
  idleMs: number
  /** How long to wait for what may follow the end of the answer, such as usage. */
  closingMs: number
  /** Delay before each retry. The length of the list is the number of retries. */
  retryMs: readonly number[]
  /** Longest wait that a server may ask for. If it asks for more, the request fails at once and says so. */
  maxWaitMs: number
}

/** Timeout to give to the SDKs, so that their own limits never apply: the longest time a timer can take. */
export const SDK_PATIENCE_MS = 2 ** 31 - 1

const PATIENCE: Patience = {
  firstMs: undefined,
  loadingMs: 2_000,
  idleMs: 60_000,
  closingMs: 2_000,
  retryMs: [700, 3_000],
  maxWaitMs: 20_000,
}

/** The context window to assume when the server does not report one. */
const DEFAULT_CONTEXT = 8_192

const tooLong = `The answer was ended after ${MOST_ANSWER.toLocaleString('en')} characters, more than an answer may have.`

/** The purpose of a request, as shown in the network ledger. */
type Purpose = 'chat' | 'server_check' | NonNullable<Prompt['purpose']>
/** Returns the `fetch` for one purpose. */
export type FetchFor = (reason: { purpose: Purpose; subject: string }) => typeof fetch

/** How long Anthropic caches a prompt after its last use: 5 minutes, or 1 hour at twice the write price. */
export type CacheTtl = '5m' | '1h'

/** Number of messages to mark. With the system prompt's mark this is the maximum of a request. */
export const MARKED_MESSAGES = 3

/** Return the mark that ends a prefix in Anthropic's cache. */
export const cacheMark = (ttl: CacheTtl) => ({
  type: 'ephemeral' as const,
  ...(ttl === '1h' && { ttl }),
})

/** A model on a server. `apiKey` is empty for servers without one. */
export type RemoteModel = {
  modelId: string
  name: string
  /** The server's address, normalised by `newServerEntry`. */
  baseUrl: string
  model: string
  apiKey: string
  contextTokens?: number
  strategy?: 'structured' | 'text'
  /** The tool-call format that the user chose. An unknown format is ignored. */
  format?: string
  /** The user's settings; a prompt with its own settings overrides them. */
  sampling?: Sampling
  patience?: Partial<Patience>
  /** The longest wait for the first sign of an answer, in ms, if the user set it. */
  startMs?: number
  fetchFor: FetchFor
}

/** Reads one answer while it arrives. */
export type Reader = {
  /** Return the events in one piece of the stream. */
  take(chunk: unknown): Iterable<CompletionEvent>
  /** The server's finish reason; undefined until the model has ended. */
  finish(): string | undefined
  /** Whether any output arrived, including calls. */
  hasSaid(): boolean
  /** The number of characters received, including those of calls. */
  length(): number
  /** End the answer here, as if the model had reached its limit. */
  cut(): void
  /** Return the complete calls, then `done`. */
  end(): Iterable<CompletionEvent>
}

/** A server's report on a model: context window in tokens, whether it takes tools as data, and pictures. */
export type ReportedModel = {
  contextTokens?: number | undefined
  tools?: boolean | undefined
  sees?: boolean | undefined
}

/** The parts in which protocols differ. */
export type Protocol = {
  words: ApiWords
  streamFormat: StreamFormat
  /** The strategy of a model that the server reports nothing about. By default its name decides. */
  strategy?: 'structured'
  /** Other peculiarities of the model. */
  quirks?: Pick<ModelProfile, 'pastReasoning'>
  /** Headers of every request, including the key. */
  headers: Record<string, string>
  /** Convert tools to the form that a request body has. */
  tools(tools: Prompt['tools']): readonly object[]
  body(prompt: Prompt, refused: ReadonlySet<OptionalField>, thoughts: KeptThoughts): object
  /** Send a body and return the stream. */
  open(body: object, fetch: typeof globalThis.fetch, signal: AbortSignal): Promise<AsyncIterable<unknown>>
  read(asked: { prompt: Prompt; promptTokens: number; contextTokens: number }, thoughts: KeptThoughts): Reader
  /** Return the failure for a finish reason that leaves no answer. */
  brokenBy(finish: string | undefined, name: string): RequestFailure['failure'] | undefined
  /** The context window by the model's name; undefined if unknown. */
  knownContext: number | undefined
  /** Whether the model takes pictures, by its name; undefined if unknown. */
  knownSight: boolean | undefined
  /** Ask the server about the model; undefined if no answer arrives. */
  fetchModelInfo(fetch: typeof globalThis.fetch): Promise<ReportedModel | undefined>
}

/**
 * Create an engine for a server protocol. A request that fails before any output is retried if that can help.
 * After a failure, the text received so far stays valid. Calls do not: they come only with a complete answer.
 * `report` receives unexpected errors, without the key.
 */
export function createRemoteEngine(
  options: RemoteModel,
  protocol: Protocol,
  report: (error: unknown) => void,
): LlmEngine {
  const { modelId, name, model, apiKey } = options
  const { host, hostname } = new URL(options.baseUrl)
  const nearby = isOnOwnNetwork(hostname)
  const patience = { ...PATIENCE, ...(nearby && { idleMs: PATIENCE.idleMs * 5 }), ...options.patience }
  const fetchFor = (purpose: Purpose) =>
    plainFetch(protocol.headers, options.fetchFor({ purpose, subject: name }))
  /** Parameters that this server refuses, remembered so that each is tried only once. */
  const refused = new Set<OptionalField>()
  const thoughts = keepThoughts()
  let contextTokens = options.contextTokens ?? protocol.knownContext
  let toldStrategy: ModelProfile['strategy'] | undefined
  let sees = protocol.knownSight

  async function profile(): Promise<ModelProfile> {
    // If the server answered without a context window, do not ask again. If it was down, ask next time.
    if (contextTokens === undefined) {
      const told = await protocol.fetchModelInfo(fetchFor('server_check'))
      if (told) contextTokens = told.contextTokens ?? DEFAULT_CONTEXT
      sees = told?.sees ?? sees
      if (told?.tools !== undefined) toldStrategy = told.tools ? 'structured' : 'text'
    }
    const strategy = options.strategy ?? protocol.strategy ?? toldStrategy ?? strategyFor(model)
    // Also for structured tools: if the server refuses them, they are sent as text.
    const chosen = options.format ?? ''
    const format = chosen in formats ? (chosen as FormatId) : servedFormat(model)
    const spoken = { format, toolRole: false }
    return {
      strategy,
      contextTokens: contextTokens ?? DEFAULT_CONTEXT,
      ...spoken,
      ...(sees !== undefined && { sees }),
      ...protocol.quirks,
    }
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
    const startedAt = performance.now()
    const firstMs = patience.firstMs ?? options.startMs ?? firstWait(nearby, prompt)
    while (!signal.aborted) {
      const trouble = yield* ask(prompt, firstMs, signal)
      if (!trouble || signal.aborted) return
      if (trouble.without && !refused.has(trouble.without)) {
        refused.add(trouble.without)
        continue
      }
      if (trouble.loading && performance.now() - startedAt < firstMs) {
        // No server reports the progress of loading.
        yield { type: 'progress', phase: 'loading', done: 0, total: 0 }
        await sleep(Math.max(patience.loadingMs, Math.min(trouble.waitMs ?? 0, patience.maxWaitMs)), signal)
        continue
      }
      const delayMs = trouble.retry && !trouble.loading ? delays.shift() : undefined
      const askedMs = trouble.waitMs ?? 0
      if (delayMs === undefined || askedMs > patience.maxWaitMs) {
        const { elsewhere, waitMs } = trouble
        const facts = { ...(elsewhere && { elsewhere }), ...(waitMs !== undefined && { waitMs }) }
        yield { type: 'failed', ...trouble.failure, ...facts }
        return
      }
      await sleep(Math.max(delayMs, askedMs), signal)
    }
  }

  /** Send one request. Returns nothing if it completed or `signal` aborted, otherwise the failure. */
  async function* ask(
    prompt: Prompt,
    firstMs: number,
    signal: AbortSignal,
  ): AsyncGenerator<CompletionEvent, RequestFailure | undefined, void> {
    const line = new AbortController()
    const hangUp = () => line.abort()
    signal.addEventListener('abort', hangUp, { once: true })
    let signAt = 0
    let isTooLong = false
    const signs = {
      onBytes() {
        signAt = performance.now()
      },
      onCut() {
        isTooLong = true
      },
    }
    const wait = (ms: number, begun: boolean) => ({ ms, begun, lastSignAt: () => signAt })
    const body = protocol.body(prompt, refused, thoughts)
    const promptTokens = estimateTokens(JSON.stringify(body, withoutPixels)) + tokensOfImages(prompt)
    const asked = { prompt, promptTokens, contextTokens: contextTokens ?? DEFAULT_CONTEXT }
    const reply = protocol.read(asked, thoughts)
    try {
      const plain = fetchFor(prompt.purpose ?? 'chat')
      const opened = protocol.open(body, sdkFetch(plain, protocol.streamFormat, signs), line.signal)
      const stream = await waitFor(opened, wait(firstMs, false), line.signal)
      const chunks = stream[Symbol.asyncIterator]()
      for (;;) {
        const ended = reply.finish() !== undefined
        // Some servers send an empty chunk at once and only then read the prompt.
        const begun = reply.hasSaid()
        const ms = ended ? patience.closingMs : begun ? patience.idleMs : firstMs
        const next = await waitFor(chunks.next(), wait(ms, begun), line.signal)
        if (signal.aborted) return undefined
        if (next.done) break
        yield* inSlices(reply.take(next.value))
        if (reply.length() <= MOST_ANSWER) continue
        isTooLong = true
        break
      }
      if (isTooLong) reply.cut()
      if (reply.finish() === undefined) throw new BrokenOff()
    } catch (error) {
      if (signal.aborted) return undefined
      // After the model has ended, a failure loses nothing.
      if (reply.finish() === undefined) return troubleOf(error, body, reply.hasSaid())
    } finally {
      signal.removeEventListener('abort', hangUp)
      line.abort()
    }
    if (isTooLong) yield { type: 'notice', text: tooLong }
    const broken = protocol.brokenBy(reply.finish(), name)
    if (broken) return { failure: broken, retry: false }
    yield* reply.end()
    return undefined
  }

  function troubleOf(error: unknown, body: object, hasSaid: boolean): RequestFailure {
    const asked = { name, host, nearby, model, apiKey, api: protocol.words, sent: { ...body } }
    const { cause, ...trouble } = explainRequestError(error, asked)
    if (cause !== undefined) report(new Error(`${name}: ${redactEagerly(inspect(cause), apiKey)}`))
    if (!hasSaid) return trouble
    const { refusedTools: _refused, ...failure } = trouble.failure
    return { failure, retry: false }
  }

  return {
    modelId,
    name,
    profile,
    complete: (prompt, signal) =>
      prompt.written ? continueReply(complete, prompt, signal) : complete(prompt, signal),
    toolsAsSent: protocol.tools,
    count: estimateTokens,
  }
}

/** Leave the bytes of pictures out of a body: their token count does not depend on their length. */
const withoutPixels = (key: string, value: unknown): unknown =>
  (key === 'data' || key === 'url') && typeof value === 'string' ? '' : value

const tokensOfImages = ({ messages }: Prompt): number =>
  messages.reduce(
    (sum, { images = [], pictures = [] }) =>
      sum + images.reduce((all, _, at) => all + pictureTokens(pictures[at] ?? {}), 0),
    0,
  )

const HOUR_MS = 3_600_000
const FOREIGN_MS = 600_000

/**
 * How long a server may take to begin an answer, in ms. A server on the user's network may read a long prompt
 * for an hour, which costs nothing. It has no limit while the user is waiting and can press Stop.
 *
 * @internal Its test sees limits that no test can wait for.
 */
export function firstWait(
  nearby: boolean,
  { purpose, priority }: Pick<Prompt, 'purpose' | 'priority'>,
): number {
  if (!nearby) return FOREIGN_MS
  return purpose === undefined && priority !== 'background' ? Number.POSITIVE_INFINITY : HOUR_MS
}

/** How long to wait for the next part of an answer. */
type Wait = {
  ms: number
  /** Whether the answer had started. */
  begun: boolean
  /** When the server last gave any sign of life (`performance.now()`); `ms` counts from there. */
  lastSignAt: () => number
}

/** Wait for a part of an answer. Rejects with `Stalled` after `ms` of silence, and if `signal` aborts. */
async function waitFor<T>(part: PromiseLike<T>, wait: Wait, signal: AbortSignal): Promise<T> {
  const late = Promise.withResolvers<never>()
  const startedAt = performance.now()
  const leftMs = () => Math.max(startedAt, wait.lastSignAt()) + wait.ms - performance.now()
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  const look = () => {
    if (wait.ms === Number.POSITIVE_INFINITY) return
    timer = setTimeout(() => void lookAgain(), Math.max(leftMs(), 0))
  }
  /**
   * Check the time again. After a suspend, the deadline has passed before the data that arrived meanwhile is
   * read, so let that be read first.
   */
  const lookAgain = async () => {
    for (let turns = 0; turns < 2 && leftMs() <= 0; turns++) await letOthersRun()
    if (isOver) return
    if (leftMs() <= 0) late.reject(new Stalled(wait.begun, wait.ms))
    else look()
  }
  const abort = () => late.reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  look()
  try {
    return await Promise.race([part, late.promise])
  } finally {
    isOver = true
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
}

/** Sleep, or wake at once when `signal` aborts. */
async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
