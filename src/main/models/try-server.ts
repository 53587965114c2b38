import type { ServerCheck } from '../../shared/contract/models/model.ts'
import { Fault } from '../../shared/rpc.ts'
import { anthropicHeaders, anthropicWords } from './engines/anthropic/anthropic-engine.ts'
import type { EngineFailure } from './interface/engine.ts'
import { listedContext, openAiHeaders, openAiWords } from './engines/openai/openai-engine.ts'
import { explainRequestError } from './engines/shared/explain-request-error.ts'
import { countOf, fieldsOf, listOf, textOf, type Fields } from '../lib/json-fields.ts'
import { isOnOwnNetwork } from './engines/shared/own-network.ts'
import type { FetchFor } from './engines/shared/remote-engine.ts'
import {
  plainFetch,
  readStart,
  WEB_PAGE,
  looksLikeHtml,
  readServerMessage,
} from './engines/shared/sdk-fetch.ts'
import { Stalled, type Asked } from './engines/shared/request-failure.ts'
import { baseUrlOf, type ServerProtocol } from './server-entry.ts'
import { byCount } from '../../shared/text/amounts.ts'

/** Timeout for the model list, in ms. */
const PATIENCE_MS = 15_000
/** Maximum number of models to list. Gateways list hundreds; nobody will read more than this. */
const MOST_MODELS = 2_000

/** A server to test, with its key. `model` is empty if none is chosen yet. */
export type TriedServer = { protocol: ServerProtocol; baseUrl: string; apiKey: string; model: string }

type Parts = {
  fetchFor: FetchFor
  report: (error: unknown) => void
  signal?: AbortSignal | undefined
  patienceMs?: number
}
type Listed = { models: ServerCheck['models']; kind: string }

/**
 * Request the model list of a server. The request also shows whether the server is reachable, speaks the
 * protocol and accepts the key.
 */
export async function tryServer(server: TriedServer, parts: Parts): Promise<ServerCheck> {
  const startedAt = performance.now()
  const check = (ok: boolean, text: string, fix: string, models: ServerCheck['models'] = []): ServerCheck => {
    return { ok, text, fix, models, ms: Math.round(performance.now() - startedAt) }
  }
  let baseUrl: string
  try {
    baseUrl = baseUrlOf(server.baseUrl, server.protocol)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return check(false, error.message, 'Correct the address.')
  }
  const listed = await listModels({ ...server, baseUrl }, parts)
  if ('fix' in listed) return check(false, listed.text, adviceFor(server, baseUrl, listed))
  const { models, kind } = listed
  const count = byCount(models.length, 'one model', `${models.length} models`)
  if (models.length === 0)
    return check(false, `${kind} answers, but it has no model.`, 'Load or pull a model there.')
  const model = server.model.trim()
  if (model !== '' && !models.some(each => isMeant(each.id, model)))
    return check(false, `${kind} has ${count}, but not “${model}”.`, 'Choose one of its models.', models)
  return check(true, `${kind} answers, with ${count}.`, '', models)
}

async function listModels(server: TriedServer, parts: Parts): Promise<Listed | EngineFailure> {
  const { protocol, baseUrl, model, apiKey } = server
  const { host, hostname } = new URL(baseUrl)
  const api = protocol === 'anthropic' ? anthropicWords : openAiWords
  const asked: Asked = { name: host, host, nearby: isOnOwnNetwork(hostname), model, apiKey, api, sent: {} }
  const headers = protocol === 'anthropic' ? anthropicHeaders(apiKey, hostname) : openAiHeaders(apiKey)
  const fetch = plainFetch(headers, parts.fetchFor({ purpose: 'server_check', subject: host }))
  const { patienceMs = PATIENCE_MS } = parts
  const late = AbortSignal.timeout(patienceMs)
  const signal = parts.signal ? AbortSignal.any([parts.signal, late]) : late
  const read = async (path: string) => {
    const response = await fetch(baseUrl + path, { signal })
    if (!response.ok) throw await refusalOf(response)
    return { headers: response.headers, answer: parsed(await response.text()) }
  }
  try {
    const { headers: told, answer } = await read(
      protocol === 'anthropic' ? '/v1/models?limit=1000' : '/models',
    )
    // OpenRouter lists its models without a key, so check the key separately.
    if (hostname === 'openrouter.ai') await read('/key')
    const entries = listOf(Array.isArray(answer) ? answer : answer['data'])
    const models = entries.flatMap(modelOf).slice(0, MOST_MODELS)
    return { models, kind: kindOf(hostname, protocol, entries, told) ?? host }
  } catch (error) {
    const { failure, cause } = explainRequestError(
      late.aborted ? new Stalled(false, patienceMs) : error,
      asked,
    )
    if (cause !== undefined && !parts.signal?.aborted) parts.report(cause)
    return failure
  }
}

/** Shape a response like an SDK error, so that it is explained in the same words. */
async function refusalOf(response: Response): Promise<object> {
  const body = await readStart(response)
  const { text, code } = readServerMessage(body)
  const error = { error: { message: text, code: looksLikeHtml(body) ? WEB_PAGE : code } }
  return { status: response.status, error, headers: response.headers }
}

function parsed(text: string): Fields | unknown[] {
  if (looksLikeHtml(text)) throw { error: { message: '', code: WEB_PAGE } } as unknown as Error
  const value: unknown = JSON.parse(text)
  return Array.isArray(value) ? value : fieldsOf(value)
}

/** Models that cannot chat, by name. */
const NO_CHAT = /embed|whisper|\btts\b|dall-e|moderation|transcribe|rerank|gpt-image|sora|realtime/i

function modelOf(entry: Fields): ServerCheck['models'] {
  const id = textOf(entry['id']) || textOf(entry['name'])
  const contextTokens = countOf(entry['max_input_tokens']) || listedContext(entry) || null
  return id === '' || NO_CHAT.test(id) ? [] : [{ id, contextTokens }]
}

/** Whether a name means a listed model: Ollama adds `:latest`, Anthropic a date, gateways use patterns. */
function isMeant(id: string, model: string): boolean {
  const bare = model.replace(/(:[\w-]+|-latest)$/, '')
  if (id.endsWith('*')) return model.startsWith(id.slice(0, -1))
  return (
    id === model ||
    id === bare ||
    id === `${model}:latest` ||
    new RegExp(`^${RegExp.escape(bare)}-\\d{8}$`).test(id)
  )
}

const OWNERS: Record<string, string> = {
  vllm: 'vLLM',
  llamacpp: 'llama-server',
  library: 'Ollama',
  organization_owner: 'LM Studio',
}
const HOSTS: Record<string, string> = {
  'openrouter.ai': 'OpenRouter',
  'api.openai.com': 'OpenAI',
  'api.anthropic.com': 'Anthropic',
}

function kindOf(
  hostname: string,
  protocol: ServerProtocol,
  entries: readonly Fields[],
  headers: Headers,
): string | undefined {
  if ([...headers.keys()].some(name => name.startsWith('x-litellm'))) return 'LiteLLM'
  const owner = protocol === 'openai' ? textOf(entries[0]?.['owned_by']) : ''
  return HOSTS[hostname] ?? OWNERS[owner]
}

/** Advise on the most common mistake first: the wrong protocol. */
function adviceFor(server: TriedServer, baseUrl: string, { code, fix }: EngineFailure): string {
  if (code !== 'refused' && code !== 'unreachable' && code !== 'model_missing') return fix
  const isAnthropic = new URL(baseUrl).hostname.endsWith('anthropic.com')
  if (isAnthropic && server.protocol === 'openai') return 'Choose “Anthropic” as the kind of server.'
  const mixedUp = !isAnthropic && server.protocol === 'anthropic' && fix === anthropicWords.address
  return mixedUp ? 'Choose “OpenAI-compatible” as the kind of server, or correct the address.' : fix
}
