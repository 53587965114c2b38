import { createHash, timingSafeEqual } from 'node:crypto'
import { STATUS_CODES, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

/** Whether a request names this machine and our port; another name that leads here is a page elsewhere, rebinding its DNS. */
export function isOurHost(host: string | undefined, port: number): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].some(name => host === `${name}:${port}`)
}

/** The status with which to refuse a socket; undefined when it may open. */
export function refusalOf(
  request: IncomingMessage,
  ours: { port: number; token: string },
): 400 | 403 | 404 | undefined {
  const { host, origin } = request.headers
  if (!isOurHost(host, ours.port) || origin !== `http://${host}`) return 403
  if (request.url !== '/rpc') return 404
  const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map(each => each.trim())
  const given = offered.find(each => each.startsWith('token.'))?.slice('token.'.length) ?? ''
  if (!sameSecret(given, ours.token)) return 403
  return offered.includes('rpc.v1') ? undefined : 400
}

/** Whether a request comes from a page that this host served, and carries the token. */
export function mayUpload({ headers }: IncomingMessage, ours: { port: number; token: string }): boolean {
  const { host, origin, authorization = '' } = headers
  if (!isOurHost(host, ours.port) || origin !== `http://${host}`) return false
  return sameSecret(/^Bearer (\S+)$/i.exec(authorization)?.[1] ?? '', ours.token)
}

/** End an upgrade that may not happen. */
export function refuse(socket: Duplex, status: number): void {
  // The peer may be gone already, which makes no difference to it or to us.
  socket.on('error', () => socket.destroy())
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
    () => socket.destroy(),
  )
}

/** Compares in constant time; hashes, because the comparison throws for texts of different length. */
const sameSecret = (given: string, expected: string) => timingSafeEqual(hash(given), hash(expected))

const hash = (text: string) => createHash('sha256').update(text).digest()
