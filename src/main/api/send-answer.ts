import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { withinTime } from '../lib/timing.ts'
import type { ApiProblem } from './api-request.ts'
import { openAiProblem } from './dialects/dialect.ts'
import { anthropicProblem } from './dialects/write-messages.ts'

export type Headers = Record<string, string>

/** How long to keep reading from a program that is still sending a refused request, in ms. */
const LINGER_MS = 2_000

/**
 * Start a stream for a program that may stop reading for `stuckMs`. The headers are sent with the first
 * event, so that an earlier failure gets its own status.
 */
export function openStream(
  response: ServerResponse,
  { headers, opening, stuckMs }: { headers: Headers; opening: string; stuckMs: number },
) {
  return {
    isOpen: () => response.headersSent,
    /** Send a text, and wait for a slow reader; a program that has stopped reading is disconnected. */
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
      const drained = once(response, 'drain', { signal }).catch(() => undefined)
      // Destroying the response ends its work, as if the program had left.
      if (!(await withinTime(stuckMs, drained))) response.destroy()
    },
  }
}

/** Send a whole answer. */
export function sendJson(
  request: IncomingMessage,
  response: ServerResponse,
  { status = 200, body, headers }: { status?: number; body: object; headers: Headers },
): void {
  response.writeHead(status, jsonHeaders(body, headers))
  response.end(request.method === 'HEAD' ? undefined : JSON.stringify(body))
}

/** Tell a program about a problem, in its own dialect. */
export async function sendRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  problem: ApiProblem,
  { headers, isSending }: { headers: Headers; isSending: boolean },
): Promise<void> {
  if (response.headersSent) return void response.destroy()
  const { status } = problem
  const isAnthropic =
    (request.url ?? '').startsWith('/v1/messages') || request.headers['anthropic-version'] !== undefined
  const body = isAnthropic ? anthropicProblem(problem, headers['request-id']) : openAiProblem(problem)
  const more = { ...headers, ...(status === 429 && { 'retry-after': '5' }) }
  if (request.complete) return sendJson(request, response, { status, body, headers: more })
  // An unread body would be taken for the next request, so close the connection. If it is closed while the
  // program is still sending, the program often never reads why, so keep reading for a moment.
  response.writeHead(status, jsonHeaders(body, { ...more, connection: 'close' }))
  response.write(JSON.stringify(body))
  if (isSending) {
    const over = once(request, 'end').catch(() => undefined)
    // Do not even read what a flood sends.
    if (status !== 429) request.resume()
    await withinTime(LINGER_MS, over)
  }
  response.end()
}

const jsonHeaders = (body: object, headers: Headers) => ({
  ...headers,
  'content-type': 'application/json; charset=utf-8',
  'content-length': Buffer.byteLength(JSON.stringify(body)),
  'cache-control': 'no-store',
})

/** Return a header that names the fields without effect, so that users notice. */
export const nameUnused = (unused: readonly string[]): Headers =>
  unused.length === 0
    ? {}
    : { 'x-talaria-unused': unused.map(each => each.replace(/[^\x21-\x7e ]/g, '?').slice(0, 100)).join(', ') }
