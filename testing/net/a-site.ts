import { once } from 'node:events'
import { createServer as createPlain, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import { createServer as createSecure } from 'node:https'
import { isIPv6, type AddressInfo, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import type { NetworkEntry } from '../../src/shared/contract/connections/network.ts'
import type { Store } from '../../src/main/db/store.ts'
import { createNetwork } from '../../src/main/net/create-network.ts'
import { createProxiedFetch } from '../../src/main/net/proxied-fetch.ts'
import { createFetchAddress, type FetchParts } from '../../src/main/web/fetch/fetch-address.ts'

/** A request to the site. */
type Asked = { method: string; url: string; headers: IncomingHttpHeaders; body: string }

/** A site on loopback that records its requests and counts its connections. */
export async function aSite(
  answer: RequestListener,
  secure?: { certificate: string; key: string },
): Promise<
  AsyncDisposable & {
    host: string
    port: number
    asked: Asked[]
    address(path: string): string
    connections(): number
    open(): number
  }
> {
  const asked: Asked[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  const listener: RequestListener = (request, response) => {
    const { method = '', url = '', headers } = request
    const one = { method, url, headers, body: '' }
    asked.push(one)
    void text(request).then(body => {
      one.body = body
      answer(request, response)
    })
  }
  const server = secure
    ? createSecure({ key: secure.key, cert: secure.certificate }, listener)
    : createPlain(listener)
  server.on('connection', socket => {
    connections++
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    host: `127.0.0.1:${port}`,
    port,
    asked,
    address: path => `http://127.0.0.1:${port}${path}`,
    connections: () => connections,
    open: () => sockets.size,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

type Way = {
  /** The addresses of names; other names do not resolve. */
  names?: Record<string, readonly string[]>
  /** Like `names`, but called for each lookup. */
  answer?: (name: string) => readonly string[]
  locked?: boolean
  proxy?: string
  allowFakeDns?: boolean
} & Pick<FetchParts, 'limits' | 'lookUp'>

/** The fetcher of pages with real connections, a ledger in memory, and made-up names. */
export function aWayOut({
  names = {},
  answer,
  locked = false,
  proxy = '',
  allowFakeDns = false,
  lookUp,
  limits,
}: Way = {}) {
  const entries: NetworkEntry[] = []
  const lookedUp: string[] = []
  const store: Store['network'] = {
    again: () => false,
    begin(entry) {
      entries.push({ id: entries.length + 1, sentBytes: null, receivedBytes: null, ms: null, ...entry })
      return entries.length
    },
    end: (id, outcome) => void Object.assign(entries[id - 1]!, outcome),
    list: () => entries,
    hosts: () => [],
    clear() {},
  }
  const proxied = createProxiedFetch(() => ({ proxy: proxy || 'off', no_proxy: '' }), {})
  const network = createNetwork({
    store,
    send: proxied.fetch,
    via: proxied.via,
    locked: () => locked,
    now: Date.now,
  })
  const get = createFetchAddress({
    fetchFor: network.fetchFor,
    isProxied: url => proxied.via(url) !== undefined,
    allowFakeDns: () => allowFakeDns,
    version: '1.2.3',
    ...(limits && { limits }),
    lookUp:
      lookUp ??
      ((name, done) => {
        lookedUp.push(name)
        const found = answer ? answer(name) : (names[name] ?? [])
        const missing = Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' })
        if (found.length === 0) done(missing, [])
        else
          done(
            null,
            found.map(address => ({ address, family: isIPv6(address) ? 6 : 4 })),
          )
      }),
  })
  return { get, entries, lookedUp }
}
