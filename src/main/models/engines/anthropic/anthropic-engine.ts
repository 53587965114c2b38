import type { LlmEngine } from '../../interface/engine.ts'
import { fieldsOf, countOf } from '../../../lib/json-fields.ts'
import {
  createRemoteEngine,
  SDK_PATIENCE_MS,
  type CacheTtl,
  type Protocol,
  type RemoteModel,
  type ReportedModel,
} from '../shared/remote-engine.ts'
import { anthropicStream } from './anthropic-stream.ts'
import { readEvents } from './read-events.ts'
import type { KeptReply } from './api-prompt.ts'
import { apiTools, requestBody } from './anthropic-request.ts'

/** A model that uses the Messages API. `baseUrl` is the part before `/v1`. */
export type AnthropicModel = RemoteModel & {
  cacheTtl?: CacheTtl
  /** Thinking budget in tokens. Without it, thinking is not requested. */
  thinkingTokens?: number
}

/** Wording for the failures of a server with Anthropic's API. */
export const anthropicWords = {
  answers: 'messages of a model',
  address: 'Check the address; that of Anthropic is https://api.anthropic.com.',
  server: 'a server that speaks the protocol of Anthropic',
}

/** Return authentication headers. Servers other than Anthropic's also take the key as a bearer token. */
export function anthropicHeaders(apiKey: string, hostname: string): Record<string, string> {
  const isAnthropic = /(^|\.)anthropic\.com$/.test(hostname)
  return {
    'anthropic-version': '2023-06-01',
    ...(apiKey !== '' && { 'x-api-key': apiKey }),
    ...(apiKey !== '' && !isAnthropic && { authorization: `Bearer ${apiKey}` }),
  }
}

/** Create an engine for Anthropic's Messages API, or for a server that implements it. */
export function createAnthropicEngine(options: AnthropicModel, report: (error: unknown) => void): LlmEngine {
  const { model, cacheTtl = '5m', thinkingTokens = 0 } = options
  const apiKey = options.apiKey.trim()
  const baseUrl = options.baseUrl.replace(/(?<!\/)\/+$/, '')
  const { contextTokens, limit, thinksFreely } = familyOf(model)
  const settings = { model, ttl: cacheTtl, limit, thinkingTokens, thinksFreely }

  const protocol: Protocol = {
    words: anthropicWords,
    streamFormat: anthropicStream,
    strategy: 'structured',
    headers: anthropicHeaders(apiKey, new URL(baseUrl).hostname),
    tools: apiTools,
    body: (prompt, refused, thoughts) =>
      requestBody(settings, prompt, refused, thoughts.of(prompt) as (KeptReply | undefined)[]),
    async open(body, fetch, signal) {
      const { Anthropic } = await import('@anthropic-ai/sdk')
      const client = new Anthropic({
        baseURL: baseUrl,
        // Never empty: otherwise the SDK looks for keys in the environment and in files of other programs.
        apiKey: apiKey || 'none',
        webhookKey: null,
        fetch,
        maxRetries: 0,
        timeout: SDK_PATIENCE_MS,
        logLevel: 'off',
      })
      // Posts to the path directly, because `messages.create` prints remarks to the terminal.
      return client.post<AsyncIterable<unknown>>('/v1/messages', { body, stream: true, signal })
    },
    read: readEvents,
    brokenBy(finish, name) {
      if (finish !== 'refusal') return undefined
      return { code: 'refused', text: `${name} declined to answer.`, fix: 'Ask in other words.' }
    },
    knownContext: contextTokens,
    knownSight: seenByFamily(model),
    fetchModelInfo: fetch => fetchModelLimits(baseUrl, model, fetch),
  }
  return createRemoteEngine({ ...options, apiKey, baseUrl }, protocol, report)
}

/** Timeout for asking about the model, in ms. */
const PATIENCE_MS = 2_000

/** The smallest context window among Anthropic's models. */
const LEAST_WINDOW = 200_000

/** Maximum output tokens by model name; the first match counts. */
const LIMITS: [family: RegExp, tokens: number][] = [
  [/^claude-3-(opus|sonnet|haiku)/, 4_096],
  [/^claude-3-5/, 8_192],
  [/^claude/, 32_000],
]

/** Return what a model's name tells: the longest answer, the context window if certain, and how it thinks. */
function familyOf(model: string) {
  const name = model.toLowerCase().split('/').at(-1) ?? ''
  return {
    limit: LIMITS.find(([family]) => family.test(name))?.[1] ?? 8_192,
    contextTokens: /^claude-(3|(opus|sonnet|haiku)-4-([0-5]|\d{8}))/.test(name) ? LEAST_WINDOW : undefined,
    /** Whether the model decides for itself how much to think, as later models do. */
    thinksFreely: /^claude-(\w+-4-[6-9](?!\d)|\w+-[5-9]|mythos)/.test(name),
  }
}

/** Whether a model takes pictures, by its name: all of Anthropic's do since the third generation. */
export const seenByFamily = (model: string): boolean | undefined => {
  const name = model.toLowerCase().split('/').at(-1) ?? ''
  return name.startsWith('claude') ? !/^claude-(2|instant)/.test(name) : undefined
}

/** Fetch the context window in tokens; undefined if no answer arrives in time. */
async function fetchModelLimits(
  baseUrl: string,
  model: string,
  fetch: typeof globalThis.fetch,
): Promise<ReportedModel | undefined> {
  const guess = /^claude/i.test(model) ? LEAST_WINDOW : undefined
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const response = await fetch(`${baseUrl}/v1/models/${encodeURIComponent(model)}`, { signal })
    const told = response.ok ? fieldsOf(await response.json()) : {}
    return { contextTokens: countOf(told['max_input_tokens']) || guess }
  } catch {
    // Any error will surface, with a message, when the model is used.
    return guess === undefined ? undefined : { contextTokens: guess }
  }
}
