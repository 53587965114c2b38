import {
  SdkHttpError,
  SSEClientTransport,
  SseError,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client'
import { causesOf } from '../../lib/expected-errors.ts'
import { ProxyError } from '../../lib/network/proxy-address.ts'
import { withinTime } from '../../lib/timing.ts'
import { createHangUps } from './hang-up.ts'
import { CLOSED, createLimits, inTurns } from './message-limits.ts'
import { readNullsIn } from './read-bodies.ts'
import type { ServerTransport } from './stdio-transport.ts'

/** Maximum bytes without a complete message: one is too long, or a stream never sends any. */
const MOST_BYTES = 32_000_000
/** How often a stream may reopen per minute. A server may end each at once and name a pause of zero. */
const STREAMS_A_MINUTE = 30
/** How long to wait for telling the server that the session is over, in ms. */
const GOODBYE_MS = 1_000

/** The address of a server, and how to reach it. `fetch` is the host's only way to the network. */
type Address = { url: URL; headers: Record<string, string>; fetch: typeof fetch }

/** Move the account of an address into a header, because `fetch` does not accept it in the address. */
export function withoutAccount(from: URL, headers: Record<string, string>): Omit<Address, 'fetch'> {
  const url = new URL(from)
  const account = [url.username, url.password].map(decoded).join(':')
  url.username = ''
  url.password = ''
  const isGiven = Object.keys(headers).some(name => name.toLowerCase() === 'authorization')
  return account === ':' || isGiven
    ? { url, headers }
    : { url, headers: { ...headers, Authorization: `Basic ${Buffer.from(account).toString('base64')}` } }
}

/** Decode a text in which a percent sign may be literal. */
const decoded = (text: string) => text.replaceAll(/(?:%[\da-f]{2})+/gi, codes => decodeOr(codes))

function decodeOr(codes: string): string {
  try {
    return decodeURIComponent(codes)
  } catch (error) {
    if (!(error instanceof URIError)) throw error
    return codes
  }
}

/** Create the two HTTP transports for a server. The SDK refuses redirects to another host. */
export function httpTransports(address: Address, onOpen: (made: ServerTransport) => void) {
  const open = (kind: 'streamable' | 'older') => {
    const made = httpTransport(address, kind)
    onOpen(made)
    return made
  }
  return { open: () => open('streamable'), openOlder: () => open('older') }
}

function httpTransport({ url, headers, fetch }: Address, kind: 'streamable' | 'older'): ServerTransport {
  const limits = createLimits()
  const hangUps = createHangUps()
  const ended = Promise.withResolvers<void>()
  let ending: string | undefined
  let messages = 0
  let opened: number[] = []
  const options = { fetch: boundedFetch, requestInit: { headers } }
  const inner: Transport & { terminateSession?(): Promise<void> } =
    kind === 'older' ? new SSEClientTransport(url, options) : new StreamableHTTPClientTransport(url, options)

  const transport: ServerTransport = {
    get ending() {
      return ending
    },
    get sessionId() {
      return inner.sessionId
    },
    ...(kind === 'streamable' && { hasPerRequestStream: true }),
    lastLines: () => [],
    ended: ended.promise,
    start: () => inner.start(),
    setProtocolVersion: version => inner.setProtocolVersion?.(version),
    async send(message, how) {
      if (ending !== undefined) throw new Error(`The connection has ended: ${ending}.`)
      limits.sent(message)
      const requestSignal = hangUps.signalFor(message, how?.requestSignal)
      try {
        await inner.send(message, { ...how, ...(requestSignal && { requestSignal }) })
        hangUps.afterSending(message)
      } catch (error) {
        hangUps.onFailed(message)
        const lost = whyLost(error)
        // The request that revealed the loss fails with its own error first.
        if (lost !== undefined) setImmediate(() => end(lost))
        throw error
      }
    },
    async close() {
      if (ending === undefined && inner.sessionId !== undefined)
        await withinTime(GOODBYE_MS, inner.terminateSession?.().catch(() => undefined) ?? Promise.resolve())
      end(CLOSED)
    },
  }
  const deliver = inTurns(
    message => transport.onmessage?.(message),
    error => transport.onerror?.(error),
  )
  const listeners: Pick<Transport, 'onmessage' | 'onerror' | 'onclose'> = {
    onmessage(message) {
      messages++
      hangUps.onAnswer(message)
      if (ending !== undefined) return
      const verdict = limits.judge(message)
      if (typeof verdict !== 'string') end(verdict.exceeded)
      else if (verdict === 'take') void deliver(message)
    },
    onerror(error) {
      transport.onerror?.(error)
      // The older transport has a single stream. A new one would be a new session without its state.
      if (SseError.isInstance(error)) end('its stream broke off')
    },
    onclose: () => end('the connection was closed'),
  }
  Object.assign(inner, listeners)

  function end(why: string): void {
    if (ending !== undefined) return
    ending = why
    void inner.close()
    ended.resolve()
    transport.onclose?.()
  }

  /** The reason why a connection is lost. It is opened again at the next use. */
  function whyLost(error: unknown): string | undefined {
    if (SdkHttpError.isInstance(error) && [400, 404].includes(error.data.status))
      return inner.sessionId === undefined ? undefined : 'it does not know the session any more'
    const proxy = causesOf(error).find(each => each instanceof ProxyError)
    if (proxy) return proxy.message.replace(/\.$/, '')
    return wasNotReached(error) ? `nothing answers at ${url.host}` : undefined
  }

  async function boundedFetch(...[input, init]: Parameters<typeof globalThis.fetch>): Promise<Response> {
    if ((init?.method ?? 'GET') === 'GET') countStream()
    const response = await fetch(input, init)
    if (!response.body) return response
    const kind = response.headers.get('content-type') ?? ''
    return boundedBody(response, response.body.pipeThrough(readNullsIn(kind)))
  }

  function countStream(): void {
    const now = performance.now()
    opened = [...opened.filter(at => at > now - 60_000), now]
    if (opened.length <= STREAMS_A_MINUTE) return
    const text = `its stream ended more than ${STREAMS_A_MINUTE} times in a minute`
    // The present transport works without a second stream; the older one would retry forever.
    if (kind === 'older') end(text)
    throw new Error(text)
  }

  function boundedBody(
    { status, statusText, headers: given, url: from }: Response,
    body: ReadableStream<Uint8Array<ArrayBuffer>>,
  ): Response {
    let bytes = 0
    let before = messages
    const count = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(piece, controller) {
        if (before !== messages) bytes = 0
        before = messages
        bytes += piece.byteLength
        if (bytes <= MOST_BYTES) return controller.enqueue(piece)
        const exceeded = `it sent more than ${MOST_BYTES / 1_000_000} MB without a message`
        end(exceeded)
        controller.error(new Error(exceeded))
      },
    })
    const copy = new Response(body.pipeThrough(count), { status, statusText, headers: given })
    Object.defineProperty(copy, 'url', { value: from })
    return copy
  }

  return transport
}

const NOT_REACHED =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|UND_ERR_CONNECT_TIMEOUT)$/

/** Whether a request was never sent, so that it had no effect. */
export const wasNotReached = (error: unknown): boolean =>
  causesOf(error).some(({ code }) => typeof code === 'string' && NOT_REACHED.test(code))
