import type { LlmEngine } from '../../engine.ts'
import { createRemoteEngine, type Protocol, type RemoteModel } from '../shared/remote-engine.ts'
import type { KeptReply } from './api-messages.ts'
import { fetchModelLimits, familyOf } from './fetch-model-limits.ts'
import type { CacheTtl } from './cache-marks.ts'
import { readEvents } from './read-events.ts'
import { requestBody } from './request-body.ts'
import { fieldsOf, listOf, type Fields } from '../shared/json-fields.ts'
import { writeEvents, type StreamFormat } from '../shared/sdk-fetch.ts'

/** A model behind the Messages API. `baseUrl` is the part before `/v1`. */
export type AnthropicModel = RemoteModel & {
  cacheTtl?: CacheTtl
  /** Thinking budget in tokens. Without it, thinking is not requested. */
  thinkingTokens?: number
}

/** Wording of failures from such a server. */
export const anthropicWords = {
  answers: 'messages of a model',
  address: 'Check the address; that of Anthropic is https://api.anthropic.com.',
  server: 'a server that speaks the protocol of Anthropic',
}

/** Authentication headers. Servers other than Anthropic's also accept the key as a bearer token. */
export function anthropicHeaders(apiKey: string, hostname: string): Record<string, string> {
  const isAnthropic = /(^|\.)anthropic\.com$/.test(hostname)
  return {
    'anthropic-version': '2023-06-01',
    ...(apiKey !== '' && { 'x-api-key': apiKey }),
    ...(apiKey !== '' && !isAnthropic && { authorization: `Bearer ${apiKey}` }),
  }
}

/** An engine for Anthropic's Messages API, or for a server that implements it. */
export function createAnthropicEngine(options: AnthropicModel, report: (error: unknown) => void): LlmEngine {
  const { model, cacheTtl = '5m', thinkingTokens = 0 } = options
  const apiKey = options.apiKey.trim()
  const baseUrl = options.baseUrl.replace(/\/+$/, '')
  const { contextTokens, limit, thinksFreely } = familyOf(model)
  const settings = { model, ttl: cacheTtl, limit, thinkingTokens, thinksFreely }

  const protocol: Protocol = {
    words: anthropicWords,
    streamFormat: anthropicStream,
    strategy: 'structured',
    headers: anthropicHeaders(apiKey, new URL(baseUrl).hostname),
    body: (prompt, refused, thoughts) =>
      requestBody(settings, prompt, refused, thoughts.of(prompt) as (KeptReply | undefined)[]),
    async open(body, fetch, signal) {
      const { Anthropic } = await import('@anthropic-ai/sdk')
      const client = new Anthropic({
        baseURL: baseUrl,
        // A non-empty key, because otherwise the SDK looks for keys in the environment and in files of other
        // programs.
        apiKey: apiKey || 'none',
        webhookKey: null,
        fetch,
        maxRetries: 0,
        timeout: 3_600_000,
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
    fetchModelInfo: fetch => fetchModelLimits(baseUrl, model, fetch),
  }
  return createRemoteEngine({ ...options, apiKey, baseUrl }, protocol, report)
}

/** The event stream of the Messages API. */
const anthropicStream: StreamFormat = {
  error: (message, code) => writeEvents(['error', { type: 'error', error: { type: code, message } }]),
  whole(answer) {
    const { content, stop_reason: reason, usage } = fieldsOf(answer)
    if (!Array.isArray(content)) return undefined
    const named = (event: Fields & { type: string }): [string, Fields] => [event.type, event]
    return writeEvents(
      named({ type: 'message_start', message: { usage } }),
      ...listOf(content).map((block, index) =>
        named({ type: 'content_block_start', index, content_block: block }),
      ),
      named({ type: 'message_delta', delta: { stop_reason: reason ?? 'end_turn' }, usage }),
    )
  },
}
