import type { LlmEngine } from '../../interface/engine.ts'
import {
  createRemoteEngine,
  SDK_PATIENCE_MS,
  type CacheTtl,
  type Protocol,
  type RemoteModel,
  type ReportedModel,
} from '../shared/remote-engine.ts'
import { isOnOwnNetwork } from '../shared/own-network.ts'
import { apiTools, type ExtraFields, requestBody } from './openai-request.ts'
import { readChunks } from './read-chunks.ts'
import { fieldsOf, listOf, type Fields } from '../../../lib/json-fields.ts'
import { openAiStream } from './openai-stream.ts'

/**
 * `cacheTtl` sets marks for Anthropic's cache. `pastReasoning` also returns the thoughts of earlier turns.
 */
export type OpenAiModel = RemoteModel & { cacheTtl?: CacheTtl; pastReasoning?: boolean }

/** Wording for the failures of an OpenAI-compatible server. */
export const openAiWords = {
  answers: 'chat completions',
  address: 'Check the address; for most servers it ends in /v1.',
  server: 'an OpenAI-compatible server',
}

/** Return the authentication headers. */
export const openAiHeaders = (apiKey: string): Record<string, string> =>
  apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }

/** Create an engine for any server with the Chat Completions API. */
export function createOpenAiEngine(options: OpenAiModel, report: (error: unknown) => void): LlmEngine {
  const { model, cacheTtl, pastReasoning = false } = options
  const apiKey = options.apiKey.trim()
  const baseUrl = options.baseUrl.replace(/(?<!\/)\/+$/, '')
  const nearby = isOnOwnNetwork(new URL(baseUrl).hostname)

  const protocol: Protocol = {
    words: openAiWords,
    streamFormat: openAiStream,
    ...(pastReasoning && { quirks: { pastReasoning } }),
    headers: openAiHeaders(apiKey),
    tools: apiTools,
    body: (prompt, refused, thoughts) =>
      requestBody(
        { model, cacheTtl, pastReasoning },
        prompt,
        refused,
        thoughts.of(prompt) as (ExtraFields | undefined)[],
      ),
    async open(body, fetch, signal) {
      const { OpenAI } = await import('openai')
      const client = new OpenAI({
        baseURL: baseUrl,
        apiKey: apiKey || 'none',
        fetch,
        maxRetries: 0,
        timeout: SDK_PATIENCE_MS,
        logLevel: 'off',
        // Null: otherwise the SDK takes OpenAI's ids and key from the environment and sends them to any
        // server.
        organization: null,
        project: null,
        adminAPIKey: null,
      })
      return client.chat.completions.create(body as ReturnType<typeof requestBody>, { signal })
    },
    read: (asked, thoughts) => readChunks(asked, thoughts, pastReasoning),
    brokenBy,
    knownContext: hostedContext(model),
    knownSight: hostedSight(model),
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

/** Timeout for all requests together, in ms. */
const PATIENCE_MS = 2_000

/**
 * Context windows of hosted model families, for servers that do not report them. Names that are also used for
 * local models are left out.
 */
const HOSTED: [family: RegExp, tokens: number][] = [
  [/^gpt-5/, 272_000],
  [/^gpt-4\.1/, 1_000_000],
  [/^(chatgpt-)?(gpt-)?4o/, 128_000],
  [/^gpt-4-turbo/, 128_000],
  [/^o[134](-|$)/, 200_000],
  [/^claude/, 200_000],
  [/^gemini-[2-9]/, 1_000_000],
  [/^deepseek-(chat|reasoner)$/, 128_000],
  [/^mistral-(small|medium|large)-latest$/, 128_000],
]

/**
 * Ollama's default window for a model that is not loaded yet, on a machine without a large graphics card.
 * Ollama silently cuts longer prompts.
 */
const OLLAMA_DEFAULT = 4_096

/** Return the context window of a hosted model by its name; undefined for all others. */
function hostedContext(model: string): number | undefined {
  const name = model.toLowerCase().split('/').at(-1) ?? ''
  return HOSTED.find(([family]) => family.test(name))?.[1]
}

/** Whether a hosted model family takes pictures. The first match counts. */
const SIGHTS: [family: RegExp, sees: boolean][] = [
  [/^o1-(mini|preview)|^o3-mini|^gpt-3|^gpt-4(-0314|-0613|-32k)?$/, false],
  [/^gpt-5|^gpt-4\.1|^(chatgpt-)?(gpt-)?4o|^gpt-4-turbo|^o[134](-|$)/, true],
  [/^claude-(2|instant)/, false],
  [/^claude|^gemini-[1-9]/, true],
  [/^deepseek-(chat|reasoner)$/, false],
  [/^mistral-(small|medium|large)-latest$|^pixtral/, true],
]

/** Whether a hosted model takes pictures, by its name; undefined for all others. */
export function hostedSight(model: string): boolean | undefined {
  const name = model.toLowerCase().split('/').at(-1) ?? ''
  return SIGHTS.find(([family]) => family.test(name))?.[1]
}

type Asked = { baseUrl: string; model: string; nearby: boolean; fetch: typeof fetch }

/**
 * Ask a server for its model's context window and tool support. vLLM, OpenRouter, Groq and others report it
 * in `/models`. Servers on this computer or network are also asked through their own APIs (Ollama, LM Studio,
 * llama.cpp). Undefined if no answer arrives within two seconds.
 */
async function fetchModelInfo(asked: Asked): Promise<ReportedModel | undefined> {
  let answered = false
  const tokens = await ask(asked, () => {
    answered = true
  })
  return answered ? tokens : undefined
}

async function ask({ baseUrl, model, nearby, fetch }: Asked, onAnswer: () => void): Promise<ReportedModel> {
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const origin = new URL(baseUrl).origin
  const read = async (url: string, body?: object) => {
    try {
      const sent = body && { method: 'POST', body: JSON.stringify(body) }
      const response = await fetch(url, { signal, ...sent })
      onAnswer()
      return response.ok ? fieldsOf(await response.json()) : {}
    } catch {
      // Any error will surface, with a message, when the model is used.
      return {}
    }
  }

  const listed = entryOf((await read(`${baseUrl}/models`))['data'], model)
  const contextTokens = listedContext(listed)
  const tools = has(listed['supported_parameters'], 'tools')
  const sees = listedSight(listed)
  if (contextTokens !== undefined || !nearby) return { contextTokens, tools, sees }
  const [ollama, studio, llama] = await Promise.all(
    ['/api/ps', '/api/v0/models', '/props'].map(path => read(`${origin}${path}`)),
  )
  if (Array.isArray(ollama?.['models'])) {
    const loaded = firstCount(entryOf(ollama['models'], model), ['context_length'])
    const { capabilities } = await read(`${origin}/api/show`, { model })
    return {
      contextTokens: loaded ?? OLLAMA_DEFAULT,
      tools: has(capabilities, 'tools'),
      sees: has(capabilities, 'vision'),
    }
  }
  const inStudio = entryOf(studio?.['data'], model)
  const window =
    firstCount(inStudio, ['loaded_context_length']) ??
    firstCount(fieldsOf(llama?.['default_generation_settings']), ['n_ctx'])
  // LM Studio adds its own tool format to models without one, so only a positive answer means something.
  const seen = [sees, studioSight(inStudio['type']), truth(fieldsOf(llama?.['modalities'])['vision'])]
  return {
    contextTokens: window,
    tools: tools ?? (has(inStudio['capabilities'], 'tool_use') || undefined),
    sees: seen.find(each => each !== undefined),
  }
}

const truth = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined)

/** Whether a model takes pictures, by the type that LM Studio reports. */
const studioSight = (type: unknown): boolean | undefined =>
  type === 'vlm' ? true : type === 'llm' ? false : undefined

/** Whether a model takes pictures, by its entry in `/models`, which differs from server to server. */
const listedSight = (entry: Fields): boolean | undefined =>
  has(fieldsOf(entry['architecture'])['input_modalities'], 'image') ??
  has(entry['input_modalities'], 'image') ??
  truth(fieldsOf(entry['capabilities'])['vision']) ??
  (has(entry['capabilities'], 'multimodal') || has(entry['capabilities'], 'vision') || undefined)

/** Whether a list contains a word; undefined without a list. */
const has = (list: unknown, word: string): boolean | undefined =>
  Array.isArray(list) ? list.includes(word) : undefined

/** Return the context window in an entry of `/models`, if the entry reports it. */
export const listedContext = (entry: Fields): number | undefined =>
  firstCount({ ...fieldsOf(entry['meta']), ...entry }, [
    'max_model_len',
    'context_length',
    'context_window',
    'loaded_context_length',
    'max_context_length',
  ])

function entryOf(list: unknown, model: string): Fields {
  return listOf(list).find(entry => [entry['id'], entry['model'], entry['name']].includes(model)) ?? {}
}

function firstCount(fields: Fields, names: string[]): number | undefined {
  const found = names.map(name => fields[name]).find(value => typeof value === 'number' && value >= 256)
  return typeof found === 'number' ? Math.floor(found) : undefined
}
