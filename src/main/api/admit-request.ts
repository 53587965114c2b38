import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { ApiProblem } from './api-request.ts'

/** The facts that a request is checked against. */
export type Gate = { port: number; key: string; origins: readonly string[] }

type Headed = Pick<IncomingMessage, 'headers' | 'headersDistinct'>

/** Headers that may occur only once: with two, different programs might read different ones. */
const ONCE = ['host', 'origin', 'authorization', 'x-api-key', 'content-encoding'] as const

/**
 * Throw an `ApiProblem` unless a request may reach this server. Its Host header must name this computer; else
 * a web page could come through a domain that points here. A request from a page has an Origin, which must be
 * listed.
 */
export function admitRequest(
  { headers, headersDistinct }: Headed,
  { port, origins }: Pick<Gate, 'port' | 'origins'>,
): void {
  const twice = ONCE.find(name => (headersDistinct[name]?.length ?? 0) > 1)
  if (twice !== undefined) throw new ApiProblem(400, 'two_headers', `The header ${twice} was sent twice.`)
  const isOurs = ['127.0.0.1', 'localhost', '[::1]'].some(
    name => headers.host?.toLowerCase() === `${name}:${port}`,
  )
  if (!isOurs) throw new ApiProblem(403, 'wrong_host', 'Talaria answers only under its own address.')
  const { origin } = headers
  if (origin !== undefined && !origins.includes(origin))
    throw new ApiProblem(
      403,
      'wrong_origin',
      `Pages of ${origin.slice(0, 200)} are not allowed to use this server. Add the address to api.origins in Talaria’s settings to allow it.`,
    )
}

/** Throw an `ApiProblem` without the key. In the address it does not count: logs and histories keep that. */
export function checkKey({ headers, url = '' }: Headed & { url?: string | undefined }, key: string): void {
  const given = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? headers['x-api-key']
  if (typeof given === 'string' && isSame(given, key)) return
  const isInAddress = /[?&](?:api[_-]?)?key=/i.test(url)
  throw new ApiProblem(
    401,
    'invalid_api_key',
    isInAddress
      ? 'Put the key into the header “Authorization: Bearer …”, not into the address.'
      : 'The key is missing or wrong. You find it in Talaria’s settings, under “API for other programs”.',
  )
}

/** Return the headers that let a listed page read the answer; empty for other programs. */
export function allowPage(
  { headers }: Pick<IncomingMessage, 'headers'>,
  origins: readonly string[],
): Record<string, string> {
  const { origin } = headers
  if (origin === undefined || !origins.includes(origin)) return {}
  const asked = headers['access-control-request-headers'] ?? ''
  return {
    'access-control-allow-origin': origin,
    // Client libraries send their own headers, such as x-stainless-lang.
    'access-control-allow-headers': /^[\w, -]{1,2000}$/.test(asked)
      ? asked
      : 'authorization, content-type, x-api-key, anthropic-version, anthropic-beta',
    'access-control-allow-methods': 'GET, HEAD, POST',
    'access-control-expose-headers': 'x-talaria-unused, x-request-id, request-id, retry-after',
    ...(headers['access-control-request-private-network'] === 'true' && {
      'access-control-allow-private-network': 'true',
    }),
    vary: 'origin',
  }
}

/** Compare in constant time. Hash first, because `timingSafeEqual` throws for different lengths. */
const isSame = (given: string, expected: string) => timingSafeEqual(hash(given), hash(expected))

const hash = (text: string) => createHash('sha256').update(text).digest()
