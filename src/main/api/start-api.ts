import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { Fault } from '../../shared/rpc.ts'
import { newId } from '../lib/ids.ts'
import { withinTime } from '../lib/timing.ts'
import { admitRequest, allowPage, checkKey } from './admit-request.ts'
import { createAnswerer, type AnswerParts, type AskedOfApi } from './answer-requests.ts'
import { ApiProblem } from './api-request.ts'
import { findRoute, methodsOf, pathOf } from './find-route.ts'
import { createBodyReader } from './read-body.ts'
import { nameUnused, sendJson, sendRefusal } from './send-answer.ts'

/** The parts that programs reach through the server. */
export type ApiParts = AnswerParts & {
  port: number
  key(this: void): string
  /** Return the origins of pages that may ask; none by default. */
  origins(this: void): readonly string[]
  /** Called once for every admitted request, after it has ended. */
  asked(this: void, request: AskedOfApi): void
  /** Shorter limits for tests. */
  limits?: Partial<Limits>
}

/** A running server. */
export type ApiServer = { port: number; close(): Promise<void> }

/**
 * Time limits for a program, in ms: for a request's headers, for its body, and for reading on in an answer.
 * Also how many bytes of bodies are held at the same time.
 */
type Limits = { headMs: number; bodyMs: number; stuckMs: number; bytesInHand: number }
const LIMITS: Limits = { headMs: 5_000, bodyMs: 60_000, stuckMs: 60_000, bytesInHand: 96 * 1024 * 1024 }

/**
 * Maximum number of connections. It is high, so that excess ones get an answer: programs that are just cut
 * off usually reconnect immediately.
 */
const MOST_CONNECTIONS = 1_024
/** Maximum open requests of a connection. All but the first are refused; beyond this it is cut off. */
const MOST_IN_ROW = 16
/** Maximum concurrent requests of all connections. */
const MOST_AT_ONCE = 128

/** Start the server on the loopback address. A port in use is a `busy` Fault. */
export async function startApi(parts: ApiParts): Promise<ApiServer> {
  const { headMs, bodyMs, stuckMs, bytesInHand } = { ...LIMITS, ...parts.limits }
  const answerTo = createAnswerer(parts)
  const openBody = createBodyReader(bytesInHand)
  const closing = new AbortController()
  const rows = new WeakMap<Socket, Set<ServerResponse>>()
  let atOnce = 0
  const http = createServer({
    headersTimeout: headMs,
    // The body reader reports late bodies with a text. This limit ends requests that never get that far.
    requestTimeout: bodyMs + 10_000,
    connectionsCheckingInterval: Math.min(1_000, headMs),
  })
  http.maxConnections = MOST_CONNECTIONS
  http.on('request', (request, response) => void answer(request, response))
  // With `Expect: 100-continue`, a program sends its body only once it is admitted.
  http.on('checkContinue', (request, response) => void answer(request, response, true))
  http.listen({ host: '127.0.0.1', port: parts.port })
  try {
    await once(http, 'listening')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    throw new Fault('busy', `Port ${parts.port} is in use by another program. Choose another one.`)
  }
  http.on('error', parts.report)
  const { port } = http.address() as AddressInfo

  /**
   * Refuse a request that does not wait for the previous answer. Node would hold its answer back. With enough
   * held back it would stop reading the connection, and nobody would notice the program leaving.
   */
  function enterRow({ socket }: IncomingMessage, response: ServerResponse) {
    const row = rows.get(socket) ?? new Set()
    rows.set(socket, row)
    for (const each of row) if (each.writableFinished) row.delete(each)
    const isFirst = [...row].every(each => each.writableEnded)
    row.add(response)
    if (row.size > MOST_IN_ROW) socket.destroy()
    if (!isFirst)
      throw new ApiProblem(
        400,
        'in_a_row',
        'The request before this one is not answered yet. Wait for its answer.',
      )
  }

  async function answer(request: IncomingMessage, response: ServerResponse, waits = false): Promise<void> {
    const path = pathOf(request.url ?? '/')
    const gone = new AbortController()
    const signal = AbortSignal.any([closing.signal, gone.signal])
    response.on('close', () => response.writableFinished || gone.abort(new Error('The program has left.')))
    response.on('error', () => gone.abort())
    const id = newId('req')
    const origins = parts.origins()
    const seen: AskedOfApi = { at: parts.now(), path, model: '', ok: false, unused: [] }
    const headers = { 'x-request-id': id, 'request-id': id, ...allowPage(request, origins) }
    const body = openBody(request)
    let isIn = false
    atOnce += 1
    try {
      enterRow(request, response)
      admitRequest(request, { port, origins })
      if (request.method === 'OPTIONS') {
        response.writeHead(204, { ...headers, allow: methodsOf(path) }).end()
        return
      }
      if (path !== '/health') checkKey(request, parts.key())
      if (atOnce > MOST_AT_ONCE)
        throw new ApiProblem(
          429,
          'too_many_requests',
          `${MOST_AT_ONCE} requests are already open. Try again in a moment.`,
        )
      const route = findRoute(request.method ?? '', path)
      isIn = true
      await answerTo(route, {
        seen,
        signal,
        stuckMs,
        response,
        headers: (unused = []) => ({ ...headers, ...nameUnused(unused) }),
        read: () =>
          body.read({
            withinMs: bodyMs,
            proceed() {
              if (waits) response.writeContinue()
              waits = false
            },
          }),
        sendJson: (whole, unused) =>
          sendJson(request, response, { body: whole, headers: { ...headers, ...nameUnused(unused) } }),
      })
    } catch (error) {
      if (signal.aborted) return void response.destroy()
      if (!(error instanceof ApiProblem)) parts.report(error)
      const problem =
        error instanceof ApiProblem
          ? error
          : new ApiProblem(500, 'internal', 'Something went wrong in Talaria. Its log has the details.')
      const allow = problem.status === 405 && { allow: methodsOf(path) }
      await sendRefusal(request, response, problem, {
        headers: { ...headers, ...allow },
        // A program that waits for permission, or has fallen silent, sends nothing that must be read first.
        isSending: !waits && problem.status !== 408,
      })
    } finally {
      atOnce -= 1
      body.release()
      if (isIn) parts.asked(seen)
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
