import { createHash, timingSafeEqual } from 'node:crypto'
import { STATUS_CODES, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

/** Return whether the Host header names this computer and our port. Else a page uses DNS rebinding. */
export function isOurHost(host: string | undefined, port: number): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].some(name => host === `${name}:${port}`)
}

/** Return whether a request comes from a page of this host. */
export function isOurPage({ headers: { host, origin } }: IncomingMessage, port: number): boolean {
  return isOurHost(host, port) && origin === `http://${host}`
}

/** Return the status for refusing a socket; undefined if it may open. */
export function refusalOf(
  request: IncomingMessage,
  ours: { port: number; token: string },
): 400 | 403 | 404 | undefined {
  if (!isOurPage(request, ours.port)) return 403
  if (request.url !== '/rpc') return 404
  const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map(each => each.trim())
  const given = offered.find(each => each.startsWith('token.'))?.slice('token.'.length) ?? ''
  if (!sameSecret(given, ours.token)) return 403
  return offered.includes('rpc.v1') ? undefined : 400
}

/** Return whether a request comes from a page of this host and has the token. */
export function mayUpload(request: IncomingMessage, ours: { port: number; token: string }): boolean {
  if (!isOurPage(request, ours.port)) return false
  const { authorization = '' } = request.headers
  return sameSecret(/^Bearer (\S+)$/i.exec(authorization)?.[1] ?? '', ours.token)
}

/** Refuse an upgrade request. */
export function refuseSocket(socket: Duplex, status: number): void {
  // Ignore errors: the peer may be gone.
  socket.on('error', () => socket.destroy())
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
    () => socket.destroy(),
  )
}

/** Compare in constant time. Hash first, because `timingSafeEqual` throws for different lengths. */
const sameSecret = (given: string, expected: string) => timingSafeEqual(hash(given), hash(expected))

const hash = (text: string) => createHash('sha256').update(text).digest()
