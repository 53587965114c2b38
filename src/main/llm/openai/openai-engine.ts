import { inspect } from 'node:util'
import type OpenAI from 'openai'
import { servedDialect } from '../../dialects/detect.ts'
import type { CompletionEvent, LlmEngine, ModelProfile, Prompt } from '../engine.ts'
import { estimateTokens } from '../estimate-tokens.ts'
import { strategyFor } from '../strategy-for.ts'
import { askContext, DEFAULT_CONTEXT, hostedContext } from './ask-context.ts'
import { explain } from './explain.ts'
import { isNearby } from './nearby.ts'
import { plainFetch, sdkFetch } from './plain-fetch.ts'
import { readChunks } from './read-chunks.ts'
import { redact } from './redact.ts'
import { requestBody } from './request-body.ts'
import { BrokenOff, type Optional, type Trouble } from './trouble.ts'
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

/** A model on an OpenAI-compatible server. `apiKey` is empty for servers that want none. */
export type OpenAiModel = {
  modelId: string
  name: string
  /** With the path, usually ending in `/v1`. */
  baseUrl: string
  model: string
  apiKey: string
  contextTokens?: number
  strategy?: 'structured' | 'text'
  patience?: Partial<Patience>
}

/**
 * An engine behind the Chat Completions API of any server. Requests that failed before anything was said are repeated
 * when that can help; text that came before a failure stays valid, calls do not: they come only with a complete answer.
 * `report` gets what nobody foresaw, without the key.
 */
export function createOpenAiEngine(options: OpenAiModel, report: (error: unknown) => void): LlmEngine {
  const { modelId, name, model } = options
  const apiKey = options.apiKey.trim()
  const baseUrl = options.baseUrl.replace(/\/+$/, '')
  const { host, hostname } = new URL(baseUrl)
  const nearby = isNearby(hostname)
  const patience = { ...PATIENCE, ...(nearby && { idleMs: PATIENCE.idleMs * 5 }), ...options.patience }
  const fetch = plainFetch(apiKey)
  /** Parameters that this server has refused, kept so that it is asked only once. */
  const refused = new Set<Optional>()
  let contextTokens = options.contextTokens ?? hostedContext(model)

  async function profile(): Promise<ModelProfile> {
    // A server that does not tell is not asked again; one that was down may tell the next time.
    if (contextTokens === undefined) {
      const told = await askContext({ baseUrl, model, nearby, fetch })
      contextTokens = told === 'untold' ? DEFAULT_CONTEXT : told
    }
    const strategy = options.strategy ?? strategyFor(model)
    // Also for tools as data: the server may refuse them, and then they go as text.
    const spoken = { dialect: servedDialect(model), toolRole: false }
    return { strategy, prompt: 'standard', contextTokens: contextTokens ?? DEFAULT_CONTEXT, ...spoken }
  }

  async function* complete(prompt: Prompt, signal: AbortSignal): AsyncGenerator<CompletionEvent, void, void> {
    if (!/^[\x21-\x7e]*$/.test(apiKey)) {
      const text = `The API key of ${name} contains characters that no key has.`
      yield {
        type: 'failed',
        code: 'refused',
        text,
        fix: 'Copy the key again, without spaces or line breaks.',
      }
      return
    }
    const delays = [...patience.retryMs]
    while (!signal.aborted) {
      const trouble = yield* ask(prompt, signal)
      if (!trouble || signal.aborted) return
      if (trouble.without) {
        refused.add(trouble.without)
        continue
      }
      const delayMs = trouble.retry ? delays.shift() : undefined
      const askedMs = trouble.waitMs ?? 0
      if (delayMs === undefined || askedMs > patience.maxWaitMs) {
        yield { type: 'failed', ...trouble.failure }
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
    const client = await openClient(() => {
      signAt = performance.now()
    })
    const wait = (ms: number, begun: boolean) => ({ ms, begun, lastSignAt: () => signAt })
    const body = requestBody(model, prompt, refused)
    const reply = readChunks(estimateTokens(JSON.stringify(body)), contextTokens ?? DEFAULT_CONTEXT)
    try {
      const opened = client.chat.completions.create(body, { signal: line.signal })
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
    const broken = brokenBy(reply.finish())
    if (!broken) yield* reply.end()
    return broken
  }

  async function openClient(onBytes: () => void): Promise<OpenAI> {
    const { OpenAI } = await import('openai')
    return new OpenAI({
      baseURL: baseUrl,
      apiKey: apiKey || 'none',
      fetch: sdkFetch(fetch, onBytes),
      maxRetries: 0,
      timeout: patience.firstMs * 2,
      logLevel: 'off',
      // Explicitly nothing, or the SDK takes them from the environment and sends them to whichever server this is.
      organization: null,
      project: null,
      adminAPIKey: null,
    })
  }

  function troubleOf(error: unknown, sent: Record<string, unknown>, hasSaid: boolean): Trouble {
    const { cause, ...trouble } = explain(error, { name, host, nearby, model, apiKey, sent })
    if (cause !== undefined) report(new Error(`${name}: ${redact(inspect(cause), apiKey)}`))
    return hasSaid ? { failure: trouble.failure, retry: false } : trouble
  }

  /** Reasons for an end that leave no answer behind. */
  function brokenBy(finish: string | undefined): Trouble | undefined {
    if (finish === 'content_filter') {
      const text = `The content filter of ${name} stopped the answer.`
      return { failure: { code: 'refused', text, fix: 'Ask in other words.' }, retry: false }
    }
    if (finish !== 'error') return undefined
    const text = `${name} broke off with an error.`
    return { failure: { code: 'engine_gone', text, fix: 'Send the message again.' }, retry: false }
  }

  return { modelId, name, profile, complete, count: estimateTokens }
}
