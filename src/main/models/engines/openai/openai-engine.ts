import type { LlmEngine } from '../engine.ts'
import { isNearby } from '../remote/nearby.ts'
import { createRemoteEngine, type Protocol, type RemoteModel } from '../remote/remote-engine.ts'
import { askModel, hostedContext } from './ask-model.ts'
import type { Aside } from './aside.ts'
import { readChunks } from './read-chunks.ts'
import { requestBody } from './request-body.ts'
import { openAiSpelling } from './spelling.ts'

export type OpenAiModel = RemoteModel

/** What failures of such a server are called. */
export const openAiWords = {
  answers: 'chat completions',
  address: 'Check the address; for most servers it ends in /v1.',
  server: 'an OpenAI-compatible server',
}

/** How a key is shown to such a server. */
export const openAiHeaders = (apiKey: string): Record<string, string> =>
  apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }

/** An engine behind the Chat Completions API of any server. */
export function createOpenAiEngine(options: OpenAiModel, report: (error: unknown) => void): LlmEngine {
  const { model } = options
  const apiKey = options.apiKey.trim()
  const baseUrl = options.baseUrl.replace(/\/+$/, '')
  const nearby = isNearby(new URL(baseUrl).hostname)

  const protocol: Protocol = {
    words: openAiWords,
    spelling: openAiSpelling,
    headers: openAiHeaders(apiKey),
    body: (prompt, refused, thoughts) =>
      requestBody(model, prompt, refused, thoughts.of(prompt) as (Aside | undefined)[]),
    async open(body, fetch, signal) {
      const { OpenAI } = await import('openai')
      const client = new OpenAI({
        baseURL: baseUrl,
        apiKey: apiKey || 'none',
        fetch,
        maxRetries: 0,
        timeout: 3_600_000,
        logLevel: 'off',
        // Explicitly nothing, or the SDK takes them from the environment and sends them to whichever server this is.
        organization: null,
        project: null,
        adminAPIKey: null,
      })
      return client.chat.completions.create(body as ReturnType<typeof requestBody>, { signal })
    },
    read: (asked, thoughts) => readChunks(asked, thoughts),
    brokenBy,
    knownContext: hostedContext(model),
    askModel: fetch => askModel({ baseUrl, model, nearby, fetch }),
  }
  return createRemoteEngine({ ...options, apiKey, baseUrl }, protocol, report)
}

function brokenBy(finish: string | undefined, name: string): ReturnType<Protocol['brokenBy']> {
  if (finish === 'content_filter') {
    const text = `The content filter of ${name} stopped the answer.`
    return { code: 'refused', text, fix: 'Ask in other words.' }
  }
  if (finish !== 'error') return undefined
  return { code: 'engine_gone', text: `${name} broke off with an error.`, fix: 'Send the message again.' }
}
