import { constants, createReadStream } from 'node:fs'
import { setImmediate as others } from 'node:timers/promises'
import { createZstdDecompress } from 'node:zlib'
import { fileErrorCode, isRefusal, reasonOf, type Refusal } from '../../lib/expected-errors.ts'
import type { ReadSession, SessionParser } from './session-steps.ts'

/** Maximum bytes to read of one file, and of one line; longer lines are skipped. */
const MOST_BYTES = 100_000_000
const MOST_LINE = 400_000
/** How long to read lines before other work gets its turn, in ms. */
const SLICE_MS = 5
const NEWLINE = 10

/** Read a session file piece by piece. `isCut`: it is longer than the maximum. */
export async function readSessionFile(
  path: string,
  parser: SessionParser,
  signal: AbortSignal,
  mostBytes = MOST_BYTES,
): Promise<(ReadSession & { isCut: boolean }) | Refusal> {
  let isCut = false
  try {
    for await (const line of linesOf(piecesOf(path, signal), mostBytes)) {
      if (line === 'too long') isCut = true
      else parser.take(line.text)
    }
  } catch (error) {
    if (signal.aborted) throw error
    // Truncated compressed data has its own error codes.
    const code = fileErrorCode(error)
    return { refused: /^(?:ZSTD|Z_|ERR_)/.test(code) ? 'it is damaged' : reasonOf(code) }
  }
  const session = parser.end()
  return isRefusal(session) ? session : { ...session, isCut }
}

/** Yield the bytes of a file, decompressed for `.zst`. A link or pipe in its place is not opened. */
async function* piecesOf(path: string, signal: AbortSignal): AsyncGenerator<Buffer> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  // Node takes numbers here, but its types only allow names.
  const file = createReadStream(path, { flags: flags as unknown as string, signal })
  if (!path.endsWith('.zst')) return yield* file as AsyncIterable<Buffer>
  const unpacked = createZstdDecompress()
  file.once('error', error => unpacked.destroy(error))
  try {
    yield* file.pipe(unpacked) as AsyncIterable<Buffer>
  } finally {
    file.destroy()
  }
}

/** Yield lines; one over `MOST_LINE` bytes comes without text. Ends with `too long` if the file was cut. */
async function* linesOf(
  pieces: AsyncIterable<Buffer>,
  mostBytes: number,
): AsyncGenerator<{ text: string | undefined } | 'too long'> {
  let parts: Buffer[] = []
  let length = 0
  let total = 0
  let since = performance.now()
  const keep = (part: Buffer) => {
    length += part.length
    if (length > MOST_LINE) parts = []
    else if (part.length > 0) parts.push(part)
  }
  const end = () => {
    const text = length > MOST_LINE ? undefined : Buffer.concat(parts).toString('utf8')
    parts = []
    length = 0
    return { text }
  }
  for await (const piece of pieces) {
    let from = 0
    for (let to = piece.indexOf(NEWLINE); to >= 0; to = piece.indexOf(NEWLINE, from)) {
      keep(piece.subarray(from, to))
      from = to + 1
      yield end()
      if (performance.now() - since > SLICE_MS) {
        await others()
        since = performance.now()
      }
    }
    keep(piece.subarray(from))
    total += piece.length
    if (total > mostBytes) return yield 'too long'
  }
  if (length > 0) yield end()
}
