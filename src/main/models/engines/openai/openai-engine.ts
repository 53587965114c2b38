import type { LlmEngine } from '../../engine.ts'
import {
  isOnOwnNetwork,
  createRemoteEngine,
  type Protocol,
  type RemoteModel,
} from '../shared/remote-engine.ts'
import { fetchModelInfo, hostedContext } from './fetch-model-info.ts'
import { type ExtraFields, requestBody } from './request-body.ts'
import { readChunks } from './read-chunks.ts'
import { fieldsOf, listOf } from '../shared/json-fields.ts'
import { writeEvents, type StreamFormat } from '../shared/sdk-fetch.ts'

export type OpenAiModel = RemoteModel

/** Wording of failures from such a server. */
export const openAiWords = {
  answers: 'chat completions',
  address: 'Check the address; for most servers it ends in /v1.',
  server: 'an OpenAI-compatible server',
}

/** Authentication headers. */
export const openAiHeaders = (apiKey: string): Record<string, string> =>
  apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }

/** An engine for any server with the Chat Completions API. */
export function createOpenAiEngine(options: OpenAiModel, report: (error: unknown) => void): LlmEngine {
  const { model } = options
  const apiKey = options.apiKey.trim()
  const baseUrl = options.baseUrl.replace(/\/+$/, '')
  const nearby = isOnOwnNetwork(new URL(baseUrl).hostname)

  const protocol: Protocol = {
    words: openAiWords,
    streamFormat: openAiStream,
    headers: openAiHeaders(apiKey),
    body: (prompt, refused, thoughts) =>
      requestBody(model, prompt, refused, thoughts.of(prompt) as (ExtraFields | undefined)[]),
    async open(body, fetch, signal) {
      const { OpenAI } = await import('openai')
      const client = new OpenAI({
        baseURL: baseUrl,
        apiKey: apiKey || 'none',
        fetch,
        maxRetries: 0,
        timeout: 3_600_000,
        logLevel: 'off',
        // Null on purpose: otherwise the SDK reads them from the environment and sends them to this server, whatever
        // it is.
        organization: null,
        project: null,
        adminAPIKey: null,
      })
      return client.chat.completions.create(body as ReturnType<typeof requestBody>, { signal })
    },
    read: (asked, thoughts) => readChunks(asked, thoughts),
    brokenBy,
    knownContext: hostedContext(model),
    fetchModelInfo: fetch => fetchModelInfo({ baseUrl, model, nearby, fetch }),
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

/** The event stream of Chat Completions. */
const openAiStream: StreamFormat = {
  error: (message, code) => writeEvents([undefined, { error: { message, code } }]),
  whole(answer) {
    const { choices } = fieldsOf(answer)
    if (!Array.isArray(choices)) return undefined
    const deltas = listOf(choices).map(choice => ({ ...choice, delta: choice['message'] }))
    return writeEvents([undefined, { ...fieldsOf(answer), choices: deltas }])
  },
}
