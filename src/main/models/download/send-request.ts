import type { Piece } from './download-entry.ts'
import type { Hub } from './hub.ts'

/** The dependencies of a request: the way to the network, and the hub's mirror and token. */
export type RequestContext = { fetch: typeof globalThis.fetch; hub: Hub }

/** A response, the host that sent it, and what a hub said about the file before redirecting. */
export type Redirected = {
  response: Response
  linked: Linked
  host: string
  /** Whether the response came after a redirect. */
  isElsewhere: boolean
}

const MOST_REDIRECTIONS = 5

/** The redirect is invalid, or leads to an address that downloads must not use. */
export class RefusedRedirection extends Error {
  override readonly name = 'RefusedRedirection'
}

/** Request a file and follow redirects, except from HTTPS to HTTP. Collects facts from hubs on the way. */
export async function sendRequest(
  { fetch, hub }: RequestContext,
  address: string,
  headersFor: (linked: Linked) => Record<string, string>,
  init: { method: 'GET' | 'HEAD'; signal: AbortSignal },
): Promise<Redirected> {
  let url = new URL(hub.route(address))
  let linked: Linked
  for (let hop = 0; hop <= MOST_REDIRECTIONS; hop++) {
    // Decide anew for each address, so that no redirect gets the token.
    const token = hub.tokenFor(url)
    const headers = {
      ...headersFor(linked),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    }
    const response = await fetch(url.href, { ...init, headers, redirect: 'manual' })
    const to = response.headers.get('location')
    if (response.status < 300 || response.status > 399 || to === null)
      return { response, linked, host: url.host, isElsewhere: hop > 0 }
    await response.body?.cancel()
    linked = readLinked(response.headers) ?? linked
    const next = URL.parse(to, url.href)
    if (!next || !/^https?:$/.test(next.protocol) || (url.protocol === 'https:' && next.protocol === 'http:'))
      throw new RefusedRedirection(`${url.host} leads to an address from which nothing is fetched.`)
    url = next
  }
  throw new RefusedRedirection(`${url.host} leads from one address to the next.`)
}

/** Facts that a model hub reports about a file before it redirects: checksum (empty if missing) and size. */
type LinkedFile = { sha256: string; sizeBytes: number | null }
type Linked = LinkedFile | undefined

/** The meaning of a successful response for a partly downloaded file. */
type ResponseBody =
  /** The body starts at this byte. */
  | { kind: 'body'; at: number; totalBytes: number | null; changed: boolean }
  /** The file is complete. */
  | { kind: 'whole' }
  /** The range is useless: request the whole file, and compare it with the bytes on disk. */
  | { kind: 'anew'; changed: boolean }

/** Read the headers of a redirect from a model hub. */
export function readLinked(headers: Headers): LinkedFile | undefined {
  const sha256 = /^"?([0-9a-f]{64})"?$/i.exec(headers.get('x-linked-etag') ?? '')?.[1]?.toLowerCase() ?? ''
  const sizeBytes = wholeNumber(headers.get('x-linked-size'))
  return sha256 === '' && sizeBytes === null ? undefined : { sha256, sizeBytes }
}

/** Read a response with status 200, 206 or 416 to a request for the bytes after the first `have`. */
export function readResponse(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  linked: Linked,
  piece: Piece,
  have: number,
): ResponseBody {
  // Ranges of a compressed body are not ranges of the file.
  if (status === 206 && headers.has('content-encoding') && have > 0) return { kind: 'anew', changed: false }
  if (status === 416) {
    const total = wholeNumber(/^bytes \*\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1])
    return total === have && have > 0 ? { kind: 'whole' } : { kind: 'anew', changed: total !== null }
  }
  const range = status === 206 ? readRange(headers.get('content-range')) : undefined
  const totalBytes =
    status === 206 ? (range?.total ?? linked?.sizeBytes ?? null) : (linked?.sizeBytes ?? lengthOf(headers))
  const changed =
    have > 0 &&
    (!isSame(piece, headers, linked) ||
      (totalBytes !== null && piece.totalBytes !== null && totalBytes !== piece.totalBytes))
  if (status !== 206) return { kind: 'body', at: 0, totalBytes, changed }
  // The whole file was requested, so the body starts at its beginning unless the server says otherwise.
  const from = range?.from ?? (have === 0 ? 0 : undefined)
  if (changed || from === undefined || from > have) return { kind: 'anew', changed }
  return { kind: 'body', at: from, totalBytes, changed: false }
}

/** Whether the source is unchanged. Missing validators count as unchanged. */
function isSame(piece: Piece, headers: Headers, linked: Linked): boolean {
  // Mirrors of a file may use different ETags, but its checksum is the same everywhere.
  const pairs = [
    [piece.announced, linked?.sha256 ?? ''],
    [piece.etag, headers.get('etag') ?? ''],
    [piece.modified, headers.get('last-modified') ?? ''],
  ]
  const told = pairs.find(([then, now]) => then !== '' && now !== '')
  return !told || told[0] === told[1]
}

/** Remember the validators of a response. */
export function rememberValidators(piece: Piece, headers: Headers, linked: Linked): void {
  piece.etag = headers.get('etag') ?? ''
  piece.modified = headers.get('last-modified') ?? ''
  piece.announced = linked?.sha256 ?? ''
}

/** Build request headers: for the whole file, or for the bytes after `have` if the file has not changed. */
export function requestHeaders(piece: Piece, have: number, linked: Linked): Record<string, string> {
  // Compression would invalidate all byte counts.
  const plain = { 'accept-encoding': 'identity' }
  if (have === 0) return plain
  const range = { ...plain, range: `bytes=${have}-` }
  if (linked && linked.sha256 !== '' && linked.sha256 === piece.announced) return range
  // A weak ETag guarantees nothing about bytes.
  const validator = piece.etag !== '' && !piece.etag.startsWith('W/') ? piece.etag : piece.modified
  return validator === '' ? range : { ...range, 'if-range': validator }
}

function readRange(header: string | null): { from: number; total: number | null } | undefined {
  const found = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(header ?? '')
  return found ? { from: Number(found[1]), total: wholeNumber(found[2]) } : undefined
}

const lengthOf = (headers: Headers): number | null =>
  headers.has('content-encoding') ? null : wholeNumber(headers.get('content-length'))

const wholeNumber = (text: string | null | undefined): number | null =>
  text && /^\d{1,15}$/.test(text) ? Number(text) : null
