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

/** What programs reach through the server. */
export type ApiParts = AnswerParts & {
  port: number
  key(this: void): string
  /** Pages that may ask; none by default. */
  origins(this: void): readonly string[]
  /** Hears of every request that was let in, once it is over. */
  asked(this: void, request: AskedOfApi): void
  /** Shorter ones in tests. */
  limits?: Partial<Limits>
}

/** The server. */
export type ApiServer = { port: number; close(): Promise<void> }

/**
 * How long a program may take, in ms: for the head of a request, for its body, and to read on in an answer. And how many bytes of
 * bodies are kept at once.
 */
type Limits = { headMs: number; bodyMs: number; stuckMs: number; bytesInHand: number }
const LIMITS: Limits = { headMs: 5_000, bodyMs: 60_000, stuckMs: 60_000, bytesInHand: 96 * 1024 * 1024 }

/**
 * Many, so that a program with hundreds of them is told to come later; one that is cut at once usually connects again at once.
 */
const MOST_CONNECTIONS = 1_024
/** Most unanswered requests of one connection. All but the first are refused, and whoever sends more than these is cut. */
const MOST_IN_ROW = 16
/** Most requests of all connections that are read or answered at once. */
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
    // The reader of bodies says in words that one is late. This ends what it never gets to see.
    requestTimeout: bodyMs + 10_000,
    connectionsCheckingInterval: Math.min(1_000, headMs),
  })
  http.maxConnections = MOST_CONNECTIONS
  http.on('request', (request, response) => void answer(request, response))
  // A program that asks first may send its body only once it is let in.
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
   * Refuse a request that does not wait for the answer to the one before it. Node would hold its answer back and, with enough held
   * back, read no more of the connection, so that nobody would see the program leave.
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
        // One that waits for a word, or has fallen silent, sends nothing that has to be heard out.
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
