import type { Piece } from './piece.ts'

/** What a hub says of a file before it sends on to where the file lies: its checksum, empty when it does not, and its size. */
export type Linked = { sha256: string; sizeBytes: number | null }

/** What a successful answer means for a file of which some bytes are here. */
export type Reading =
  /** The body begins at this byte. */
  | { kind: 'body'; at: number; totalBytes: number | null; changed: boolean }
  /** There is nothing more to come. */
  | { kind: 'whole' }
  /** What is here is of no use: ask again, for all of it. */
  | { kind: 'anew'; changed: boolean }

/** Read the headers that come with a redirection of a hub for models. */
export function readLinked(headers: Headers): Linked | undefined {
  const sha256 = /^"?([0-9a-f]{64})"?$/i.exec(headers.get('x-linked-etag') ?? '')?.[1]?.toLowerCase() ?? ''
  const sizeBytes = wholeNumber(headers.get('x-linked-size'))
  return sha256 === '' && sizeBytes === null ? undefined : { sha256, sizeBytes }
}

/** Read an answer of status 200, 206 or 416, to a question for what follows the first `have` bytes. */
export function readAnswer(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  linked: Linked | undefined,
  piece: Piece,
  have: number,
): Reading {
  if (status === 416) {
    const total = wholeNumber(/^bytes \*\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1])
    return total === have && have > 0 ? { kind: 'whole' } : { kind: 'anew', changed: total !== null }
  }
  const range = status === 206 ? readRange(headers.get('content-range')) : undefined
  const totalBytes = status === 206 ? (range?.total ?? null) : (linked?.sizeBytes ?? lengthOf(headers))
  const changed =
    have > 0 &&
    (!isSame(piece, headers, linked) ||
      (totalBytes !== null && piece.totalBytes !== null && totalBytes !== piece.totalBytes))
  if (status !== 206) return { kind: 'body', at: 0, totalBytes, changed }
  if (changed || range?.from !== have) return { kind: 'anew', changed }
  return { kind: 'body', at: have, totalBytes, changed: false }
}

/** Whether the source is in the state in which it was; what it does not tell of cannot differ. */
function isSame(piece: Piece, headers: Headers, linked: Linked | undefined): boolean {
  // Copies of a file on several machines may have tags of their own; its checksum is the same everywhere.
  const pairs = [
    [piece.announced, linked?.sha256 ?? ''],
    [piece.etag, headers.get('etag') ?? ''],
    [piece.modified, headers.get('last-modified') ?? ''],
  ]
  const told = pairs.find(([then, now]) => then !== '' && now !== '')
  return !told || told[0] === told[1]
}

/** Write down what an answer says of the state of its file. */
export function noteState(piece: Piece, headers: Headers, linked: Linked | undefined): void {
  piece.etag = headers.get('etag') ?? ''
  piece.modified = headers.get('last-modified') ?? ''
  piece.announced = linked?.sha256 ?? ''
}

/** What to ask with: everything, or what follows `have` bytes if the file is still the one that these are of. */
export function askingHeaders(
  piece: Piece,
  have: number,
  linked: Linked | undefined,
): Record<string, string> {
  // A packed body would make every count of bytes wrong.
  const plain = { 'accept-encoding': 'identity' }
  if (have === 0) return plain
  const range = { ...plain, range: `bytes=${have}-` }
  if (linked && linked.sha256 !== '' && linked.sha256 === piece.announced) return range
  // A weak tag promises nothing about bytes.
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
