import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Model } from '../../shared/contract/model.ts'
import { Fault } from '../../shared/rpc.ts'
import { withinTime } from '../lib/timing.ts'
import { isFailure, type EngineFailure, type LlmEngine } from '../models/engine.ts'
import { admitRequest, allowPage, readJson } from './admit-request.ts'
import { ApiProblem, type ApiEvent, type ApiRequest } from './api-request.ts'
import { unusedByAgent } from './ask-agent.ts'
import { askModel, explainFailure } from './ask-model.ts'
import { openAiProblem, type Dialect } from './dialects/dialect.ts'
import { chatDialect } from './dialects/write-chat.ts'
import { anthropicProblem, messagesDialect } from './dialects/write-messages.ts'
import { responsesDialect } from './dialects/write-responses.ts'
import { embedInput, type EncodeTexts } from './embed-input.ts'
import { AGENT, findModel, listEntries } from './find-model.ts'
import { createLine } from './wait-in-line.ts'

/** What programs reach through the server. */
export type ApiParts = {
  port: number
  key(this: void): string
  /** Pages that may ask; none by default. */
  origins(this: void): readonly string[]
  models: {
    list(this: void): Promise<Model[]>
    defaultId(this: void): string
    engineFor(this: void, id: string): Promise<LlmEngine | EngineFailure>
  }
  /** The whole agent. */
  askAgent(this: void, request: ApiRequest, signal: AbortSignal): AsyncGenerator<ApiEvent, void, void>
  encode: EncodeTexts
  now(this: void): number
  /** Hears of every request that was let in, once it is over. */
  asked(this: void, request: AskedOfApi): void
  report(this: void, error: unknown): void
}

/** A request that is over. */
export type AskedOfApi = { at: number; path: string; model: string; ok: boolean; unused: readonly string[] }

/** The server. */
export type ApiServer = { port: number; close(): Promise<void> }

/** Answers at the same time: a model on this computer gives one at a time beside the person’s chats, servers give several. */
const LOCAL_PLACES = 1
const SERVER_PLACES = 4
const MOST_CONNECTIONS = 128
/** How often something is sent while a model says nothing, in ms. */
const BEAT_MS = 10_000

/** Start the server on the loopback address. A port in use is a `busy` Fault. */
export async function startApi(parts: ApiParts): Promise<ApiServer> {
  const lines = { local: createLine(LOCAL_PLACES), server: createLine(SERVER_PLACES) }
  const closing = new AbortController()
  const http = createServer((request, response) => void answer(request, response))
  http.maxConnections = MOST_CONNECTIONS
  http.headersTimeout = 20_000
  http.requestTimeout = 120_000
  http.listen({ host: '127.0.0.1', port: parts.port })
  try {
    await once(http, 'listening')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    throw new Fault('busy', `Port ${parts.port} is in use by another program. Choose another one.`)
  }
  http.on('error', parts.report)
  const { port } = http.address() as AddressInfo

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '/').replace(/[?#].*$/, '')
    const gone = new AbortController()
    const signal = AbortSignal.any([closing.signal, gone.signal])
    response.on('close', () => response.writableFinished || gone.abort(new Error('The program has left.')))
    response.on('error', () => gone.abort())
    const origins = parts.origins()
    const seen: AskedOfApi = { at: parts.now(), path, model: '', ok: false, unused: [] }
    let isIn = false
    try {
      if (request.method === 'OPTIONS' && allowPage(request, origins)['vary'] !== undefined) {
        response.writeHead(204, allowPage(request, origins)).end()
        return
      }
      admitRequest(request, { port, key: parts.key(), origins })
      isIn = true
      await route(request, response, { path, signal, seen, headers: allowPage(request, origins) })
    } catch (error) {
      if (signal.aborted) return void response.destroy()
      if (!(error instanceof ApiProblem)) parts.report(error)
      const problem =
        error instanceof ApiProblem
          ? error
          : new ApiProblem(500, 'internal', 'Something went wrong in Talaria. Its log has the details.')
      refuse(request, response, problem, allowPage(request, origins))
    } finally {
      if (isIn) parts.asked(seen)
    }
  }

  type Asked = { path: string; signal: AbortSignal; seen: AskedOfApi; headers: Record<string, string> }

  async function route(request: IncomingMessage, response: ServerResponse, asked: Asked): Promise<void> {
    const { path, seen, signal } = asked
    const one = /^\/v1\/models\/(.+)$/.exec(path)?.[1]
    if (request.method === 'GET' && (path === '/v1/models' || one !== undefined)) {
      const entries = listEntries(await parts.models.list())
      const found = one === undefined ? undefined : entries.find(({ id }) => id === decoded(one))
      if (one !== undefined && !found)
        throw new ApiProblem(404, 'model_not_found', 'There is no such model.', 'model')
      seen.ok = true
      const ids = { first_id: entries[0]?.id ?? null, last_id: entries.at(-1)?.id ?? null }
      return sendJson(
        response,
        200,
        found ?? { object: 'list', data: entries, has_more: false, ...ids },
        asked.headers,
      )
    }
    if (request.method !== 'POST')
      throw new ApiProblem(404, 'not_found', `There is nothing at ${path.slice(0, 200)}.`)
    if (path === '/v1/chat/completions') return talk(chatDialect, request, response, asked)
    if (path === '/v1/responses') return talk(responsesDialect, request, response, asked)
    if (path === '/v1/messages') return talk(messagesDialect, request, response, asked)
    if (path === '/v1/messages/count_tokens') return countTokens(request, response, asked)
    if (path !== '/v1/embeddings')
      throw new ApiProblem(404, 'not_found', `There is nothing at ${path.slice(0, 200)}.`)
    seen.model = 'talaria-encoder'
    const { body, unused } = await embedInput(await readJson(request), parts.encode, signal)
    Object.assign(seen, { ok: true, unused })
    sendJson(response, 200, body, { ...asked.headers, ...nameUnused(unused) })
  }

  /** The engine of a model, where it stands in line, and its name. */
  async function modelOf(asked: string) {
    const { name, model } = findModel(await parts.models.list(), asked, parts.models.defaultId())
    const engine = await parts.models.engineFor(model.id)
    if (isFailure(engine)) throw explainFailure(engine)
    return { name, engine, line: model.kind === 'server' ? lines.server : lines.local }
  }

  async function countTokens(request: IncomingMessage, response: ServerResponse, { headers, seen }: Asked) {
    const { model, system, history, tools } = messagesDialect.read(await readJson(request))
    const { engine, name } = await modelOf(model)
    Object.assign(seen, { model: name, ok: true })
    const text = [system, ...history.map(each => each.text), ...tools.map(each => JSON.stringify(each))].join(
      '\n',
    )
    sendJson(response, 200, { input_tokens: engine.count(text) }, headers)
  }

  async function talk<R extends ApiRequest>(
    dialect: Dialect<R>,
    request: IncomingMessage,
    response: ServerResponse,
    asked: Asked,
  ) {
    const { seen, signal } = asked
    const wish = dialect.read(await readJson(request))
    seen.model = wish.model.slice(0, 200)
    if (wish.history.length === 0)
      throw new ApiProblem(400, 'bad_field', 'There is no message to answer.', 'messages')
    const found = wish.model === AGENT ? undefined : await modelOf(wish.model)
    const unused = found ? wish.unused : [...wish.unused, ...unusedByAgent(wish)]
    Object.assign(seen, { model: found?.name ?? AGENT, unused })
    const headers = { ...asked.headers, ...nameUnused(unused) }
    const writer = dialect.writer(wish, seen.model, parts.now())
    const stream = wish.stream ? openStream(response, headers, writer.open()) : undefined
    const beat = setInterval(
      () => void stream?.send(writer.write({ type: 'waiting' }) || ': waiting\n\n'),
      BEAT_MS,
    )
    let leave: (() => void) | undefined
    try {
      leave = await (found?.line ?? lines.local).enter(signal)
      const events = found ? askModel(found.engine, wish, signal) : parts.askAgent(wish, signal)
      for await (const event of events) {
        if (event.type === 'waiting') continue
        if (event.type === 'failed') throw event.problem
        seen.ok ||= event.type === 'end'
        const written = writer.write(event)
        if (stream && written !== '') await stream.send(written, signal)
      }
      // The engine ends without a word where it was stopped.
      if (signal.aborted) return void response.destroy()
      if (!seen.ok) throw new ApiProblem(502, 'no_answer', 'The model ended without an answer.')
      if (stream) response.end()
      else sendJson(response, 200, writer.whole(), headers)
    } catch (error) {
      if (signal.aborted || !stream?.isOpen()) throw error
      if (!(error instanceof ApiProblem)) parts.report(error)
      const problem =
        error instanceof ApiProblem
          ? error
          : new ApiProblem(500, 'internal', 'Something went wrong in Talaria.')
      response.end(writer.write({ type: 'failed', problem }))
    } finally {
      clearInterval(beat)
      leave?.()
    }
  }

  return {
    port,
    async close() {
      closing.abort(new Error('Talaria is closing.'))
      const closed = new Promise<void>(resolve => void http.close(() => resolve()))
      http.closeIdleConnections()
      if (await withinTime(250, closed)) return
      http.closeAllConnections()
      await closed
    },
  }
}

/** A stream whose head is sent with its first event, so that what fails before has a status of its own. */
function openStream(response: ServerResponse, headers: Record<string, string>, opening: string) {
  return {
    isOpen: () => response.headersSent,
    /** Send, and wait for a program that reads slowly. */
    async send(text: string, signal?: AbortSignal): Promise<void> {
      if (response.destroyed || text === '') return
      let all = text
      if (!response.headersSent) {
        response.writeHead(200, {
          ...headers,
          'content-type': 'text/event-stream; charset=utf-8',
          'cache-control': 'no-cache',
        })
        all = opening + text
      }
      if (response.write(all) || !signal) return
      await once(response, 'drain', { signal }).catch(() => undefined)
    },
  }
}

function sendJson(response: ServerResponse, status: number, body: object, headers: Record<string, string>) {
  response.writeHead(status, {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  })
  response.end(JSON.stringify(body))
}

function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  problem: ApiProblem,
  headers: Record<string, string>,
) {
  if (response.headersSent) return void response.destroy()
  const isAnthropic =
    (request.url ?? '').startsWith('/v1/messages') || request.headers['anthropic-version'] !== undefined
  // What is not read of a body would be taken for the next request.
  const more = {
    ...(problem.status === 429 && { 'retry-after': '5' }),
    ...(!request.complete && { connection: 'close' }),
  }
  sendJson(response, problem.status, isAnthropic ? anthropicProblem(problem) : openAiProblem(problem), {
    ...headers,
    ...more,
  })
}

/** Names the fields that nothing was made of, so that nobody wonders why they change nothing. */
const nameUnused = (unused: readonly string[]): Record<string, string> =>
  unused.length === 0
    ? {}
    : { 'x-talaria-unused': unused.map(each => each.replace(/[^\x21-\x7e ]/g, '?').slice(0, 100)).join(', ') }

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
