import type { LlmEngine } from '../engine.ts'
import { createRemoteEngine, type Protocol, type RemoteModel } from '../remote/remote-engine.ts'
import type { KeptReply } from './api-messages.ts'
import { askModel, familyOf } from './ask-limits.ts'
import type { CacheTtl } from './cache-marks.ts'
import { readEvents } from './read-events.ts'
import { requestBody } from './request-body.ts'
import { anthropicSpelling } from './spelling.ts'

/** A model behind the Messages API. `baseUrl` stands before `/v1`. */
export type AnthropicModel = RemoteModel & {
  cacheTtl?: CacheTtl
  /** Tokens that the model may think before it answers; it is not asked to without them. */
  thinkingTokens?: number
}

/** What failures of such a server are called. */
export const anthropicWords = {
  answers: 'messages of a model',
  address: 'Check the address; that of Anthropic is https://api.anthropic.com.',
  server: 'a server that speaks the protocol of Anthropic',
}

/** How a key is shown to such a server. Others than Anthropic take it in the usual place as well. */
export function anthropicHeaders(apiKey: string, hostname: string): Record<string, string> {
  const isAnthropic = /(^|\.)anthropic\.com$/.test(hostname)
  return {
    'anthropic-version': '2023-06-01',
    ...(apiKey !== '' && { 'x-api-key': apiKey }),
    ...(apiKey !== '' && !isAnthropic && { authorization: `Bearer ${apiKey}` }),
  }
}

/** An engine behind the Messages API of Anthropic, or of a server that speaks it. */
export function createAnthropicEngine(options: AnthropicModel, report: (error: unknown) => void): LlmEngine {
  const { model, cacheTtl = '5m', thinkingTokens = 0 } = options
  const apiKey = options.apiKey.trim()
  const baseUrl = options.baseUrl.replace(/\/+$/, '')
  const { contextTokens, limit, thinksFreely } = familyOf(model)
  const settings = { model, ttl: cacheTtl, limit, thinkingTokens, thinksFreely }

  const protocol: Protocol = {
    words: anthropicWords,
    spelling: anthropicSpelling,
    strategy: 'structured',
    headers: anthropicHeaders(apiKey, new URL(baseUrl).hostname),
    body: (prompt, refused, thoughts) =>
      requestBody(settings, prompt, refused, thoughts.of(prompt) as (KeptReply | undefined)[]),
    async open(body, fetch, signal) {
      const { Anthropic } = await import('@anthropic-ai/sdk')
      const client = new Anthropic({
        baseURL: baseUrl,
        // Explicitly something, or the SDK looks for keys in the environment and in files of other programs.
        apiKey: apiKey || 'none',
        webhookKey: null,
        fetch,
        maxRetries: 0,
        timeout: 3_600_000,
        logLevel: 'off',
      })
      // By its address, because the method of that name writes remarks to the terminal.
      return client.post<AsyncIterable<unknown>>('/v1/messages', { body, stream: true, signal })
    },
    read: readEvents,
    brokenBy(finish, name) {
      if (finish !== 'refusal') return undefined
      return { code: 'refused', text: `${name} declined to answer.`, fix: 'Ask in other words.' }
    },
    knownContext: contextTokens,
    askModel: fetch => askModel(baseUrl, model, fetch),
  }
  return createRemoteEngine({ ...options, apiKey, baseUrl }, protocol, report)
}
