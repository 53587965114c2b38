import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { ApiProblem } from './api-request.ts'

/** What a request is held against. */
export type Gate = { port: number; key: string; origins: readonly string[] }

/**
 * Let a request in, or throw an `ApiProblem`. Its Host header must name this computer: otherwise a web page could reach
 * us through a domain that points here. A request from a page has an Origin, which must be on the list. Every request needs the key.
 */
export function admitRequest(
  { headers }: Pick<IncomingMessage, 'headers'>,
  { port, key, origins }: Gate,
): void {
  const isOurs = ['127.0.0.1', 'localhost', '[::1]'].some(name => headers.host === `${name}:${port}`)
  if (!isOurs) throw new ApiProblem(403, 'wrong_host', 'Talaria answers only under its own address.')
  const { origin } = headers
  if (origin !== undefined && !origins.includes(origin))
    throw new ApiProblem(
      403,
      'wrong_origin',
      `Pages of ${origin.slice(0, 200)} may not ask here. Add the address to api.origins in Talaria’s settings to allow it.`,
    )
  const given = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? headers['x-api-key']
  if (typeof given !== 'string' || !isSame(given, key))
    throw new ApiProblem(
      401,
      'invalid_api_key',
      'The key is missing or wrong. You find it in Talaria’s settings, under “API for other programs”.',
    )
}

/** The headers that let a page of the list read the answer; none for other programs. */
export const allowPage = (
  { headers: { origin } }: Pick<IncomingMessage, 'headers'>,
  origins: readonly string[],
): Record<string, string> =>
  origin !== undefined && origins.includes(origin)
    ? {
        'access-control-allow-origin': origin,
        'access-control-allow-headers':
          'authorization, content-type, x-api-key, anthropic-version, anthropic-beta',
        'access-control-allow-methods': 'GET, POST',
        vary: 'origin',
      }
    : {}

/** Compare in constant time. Hash first, because `timingSafeEqual` throws for different lengths. */
const isSame = (given: string, expected: string) => timingSafeEqual(hash(given), hash(expected))

const hash = (text: string) => createHash('sha256').update(text).digest()

/** Most bytes of a body: pictures are part of it. */
const MOST_BYTES = 48 * 1024 * 1024

/** Read a body as JSON. Throws an `ApiProblem` for one that is too long, cut, or no JSON. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const tooLong = new ApiProblem(413, 'too_large', 'A request has at most 48 MB.')
  if (Number(request.headers['content-length'] ?? 0) > MOST_BYTES) throw tooLong
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MOST_BYTES) throw tooLong
    chunks.push(chunk)
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))) as unknown
  } catch {
    throw new ApiProblem(400, 'bad_json', 'The body is not JSON in UTF-8.')
  }
}
