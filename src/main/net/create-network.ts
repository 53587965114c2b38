import type { LookupFunction } from 'node:net'
import type { NetworkPurpose } from '../../shared/contract/connections/network.ts'
import { isThisComputer, OfflineError } from '../lib/network/offline.ts'
import type { Store } from '../db/store.ts'
import { redactText } from '../untrusted/redact.ts'

/**
 * The purpose of a request, as the ledger shows it to the user. Requests that `isPoll` accepts are made all
 * the time, so one line counts all of an hour.
 */
type Reason = { purpose: NetworkPurpose; subject: string; isPoll?: ((url: URL) => boolean) | undefined }

/** A line of the ledger that counts requests. */
type CountedLine = { id: number; since: number; count: number; sent: number; received: number; ms: number }

/** The host's only way to the network. Requests are recorded first; the offline lock blocks them all. */
export type Network = {
  readonly locked: boolean
  /**
   * Create a `fetch` for one purpose. Throws `OfflineError` if the lock blocks the host. Follows redirects
   * itself and records each as a separate request. With `lookup`, only this function looks up names, and each
   * request has its own connection; but a proxy looks up names itself.
   */
  fetchFor(this: void, reason: Reason, lookup?: LookupFunction): typeof fetch
  /** Record a request of another program, such as git; `end` records its outcome. Throws `OfflineError`. */
  begin(this: void, host: string, reason: Reason): { end(ok: boolean): void }
}

type Parts = {
  store: Store['network']
  locked: () => boolean
  now: () => number
  /** Sends a request; the default is `fetch` itself. `patient`: without Node's time limits. */
  send?: (url: URL, init: RequestInit, patient: boolean, lookup?: LookupFunction) => Promise<Response>
  /** The proxy that a request uses, for the ledger. */
  via?: (url: URL) => string | undefined
  onChange?: () => void
}

/** Requests to models and tools, which may take long. Both have their own limits. */
const PATIENT = new Set<NetworkPurpose>(['chat', 'learning', 'schedule', 'mcp'])

const MOST_REDIRECTIONS = 5
const COUNTED_MS = 60 * 60_000
const REDIRECTIONS = new Set([301, 302, 303, 307, 308])

/** Create the network. */
export function createNetwork({
  store,
  locked,
  now,
  send = (url, init) => fetch(url, init),
  via = () => undefined,
  onChange = () => {},
}: Parts): Network {
  const through = (url: URL) => {
    const proxy = via(url)
    return proxy === undefined ? '' : `, through the proxy ${proxy}`
  }

  const lines = new Map<string, CountedLine>()

  /** Record a frequent request in the line of this hour, if there is one. */
  function enterPoll(url: URL, { purpose, subject }: Reason, begin: () => number) {
    const key = [url.host, purpose, subject].join('\n')
    const at = now()
    const known = lines.get(key)
    const said = (count: number) => `${redactText(subject)} (${count} times)${through(url)}`
    const isGoingOn =
      known !== undefined && at - known.since < COUNTED_MS && store.again(known.id, said(known.count + 1))
    const line = isGoingOn ? known : { id: begin(), since: at, count: 0, sent: 0, received: 0, ms: 0 }
    line.count++
    lines.set(key, line)
    onChange()
    let over = false
    return (state: 'done' | 'failed', sent: number | null, received: number | null) => {
      if (over) return
      over = true
      line.sent += sent ?? 0
      line.received += received ?? 0
      line.ms += now() - at
      store.end(line.id, { state, sentBytes: line.sent, receivedBytes: line.received, ms: line.ms })
      // A failure stays visible in its own line.
      if (state === 'failed' && lines.get(key) === line) lines.delete(key)
      onChange()
    }
  }

  /** Record a request, or block it. */
  function enter(url: URL, reason: Reason) {
    const { purpose, subject } = reason
    const nearby = isThisComputer(url.hostname)
    const entry = { at: now(), host: url.host, purpose, subject: redactText(subject) + through(url), nearby }
    if (locked() && !nearby) {
      store.begin({ ...entry, state: 'blocked' })
      onChange()
      throw new OfflineError(url.host)
    }
    if (reason.isPoll?.(url)) return enterPoll(url, reason, () => store.begin({ ...entry, state: 'running' }))
    const id = store.begin({ ...entry, state: 'running' })
    onChange()
    let over = false
    return (state: 'done' | 'failed', sentBytes: number | null, receivedBytes: number | null) => {
      if (over) return
      over = true
      store.end(id, { state, sentBytes, receivedBytes, ms: now() - entry.at })
      onChange()
    }
  }

  async function once(
    url: URL,
    init: RequestInit,
    reason: Reason,
    lookup?: LookupFunction,
  ): Promise<Response> {
    const end = enter(url, reason)
    const sent = bytesOf(init.body)
    try {
      const response = await send(url, { ...init, redirect: 'manual' }, PATIENT.has(reason.purpose), lookup)
      // A request that we aborted has not failed.
      const how = (ok: boolean) => (ok || init.signal?.aborted ? 'done' : 'failed')
      return counted(response, (ok, received) => end(how(ok), sent, received))
    } catch (error) {
      end(init.signal?.aborted ? 'done' : 'failed', sent, 0)
      throw error
    }
  }

  return {
    get locked() {
      return locked()
    },
    fetchFor: (reason, lookup) => async (input, init) => {
      let url = new URL(input instanceof Request ? input.url : String(input))
      let now: RequestInit = { ...init }
      for (let hop = 0; ; hop++) {
        const response = await once(url, now, reason, lookup)
        const to = REDIRECTIONS.has(response.status) ? response.headers.get('location') : null
        const next = to === null ? null : URL.parse(to, url.href)
        if (!next || !/^https?:$/.test(next.protocol) || init?.redirect === 'manual') return response
        await response.body?.cancel()
        if (hop === MOST_REDIRECTIONS) throw new TypeError(`${url.host} leads from one address to the next.`)
        now = redirected(now, response.status, next.origin !== url.origin)
        url = next
      }
    },
    begin(host, reason) {
      const end = enter(new URL(`https://${host}`), reason)
      return { end: ok => end(ok ? 'done' : 'failed', null, null) }
    },
  }
}

/** Follow a redirect as browsers do. Another host gets no credentials; some requests become a plain GET. */
function redirected(init: RequestInit, status: number, elsewhere: boolean): RequestInit {
  const headers = new Headers(init.headers)
  if (elsewhere) for (const name of ['authorization', 'x-api-key', 'cookie']) headers.delete(name)
  const method = (init.method ?? 'GET').toUpperCase()
  const asks = status === 303 ? method !== 'HEAD' : status < 303 && method === 'POST'
  if (!asks) return { ...init, headers }
  for (const name of ['content-type', 'content-length']) headers.delete(name)
  const { body: _body, ...rest } = init
  return { ...rest, method: 'GET', headers }
}

const bytesOf = (body: RequestInit['body']): number | null => {
  if (body == null) return 0
  if (typeof body === 'string') return Buffer.byteLength(body)
  return body instanceof ArrayBuffer || ArrayBuffer.isView(body) ? body.byteLength : null
}

/** Wrap a response. `onEnd` is called once with the bytes received, however the body ended. */
function counted(response: Response, onEnd: (ok: boolean, bytes: number) => void): Response {
  if (!response.body) {
    onEnd(true, 0)
    return response
  }
  let bytes = 0
  const reader = response.body.getReader()
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (done) {
            onEnd(true, bytes)
            controller.close()
          } else {
            bytes += value.byteLength
            controller.enqueue(value)
          }
        } catch (error) {
          onEnd(false, bytes)
          controller.error(error)
        }
      },
      async cancel(reason) {
        onEnd(true, bytes)
        await reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
  const { status, statusText, headers } = response
  // Some servers answer with a status that the Response constructor rejects, such as 999.
  const isUsual = status >= 200 && status < 600
  const copy = new Response(body, { status: isUsual ? status : 500, statusText, headers })
  if (!isUsual) {
    Object.defineProperty(copy, 'status', { value: status })
    Object.defineProperty(copy, 'ok', { value: false })
  }
  // A response that we construct has no URL.
  Object.defineProperty(copy, 'url', { value: response.url })
  return copy
}
