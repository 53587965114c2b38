import { constants, createReadStream } from 'node:fs'
import { setImmediate as others } from 'node:timers/promises'
import { createZstdDecompress } from 'node:zlib'
import { fileErrorCode, isRefusal, reasonOf, type Refusal } from '../../lib/expected-errors.ts'
import type { ReadSession, SessionParser } from './session-steps.ts'

/** Bytes that are read of one file, and of one line, which else is passed over. */
const MOST_BYTES = 100_000_000
const MOST_LINE = 400_000
/** How long lines are read before other work gets its turn, in ms. */
const SLICE_MS = 5
const NEWLINE = 10

/** Read a file of a session, a piece at a time. `isCut`: it is longer than what is read. */
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
    // What was compressed and cut says so with a code of its own.
    const code = fileErrorCode(error)
    return { refused: /^(?:ZSTD|Z_|ERR_)/.test(code) ? 'it is damaged' : reasonOf(code) }
  }
  const session = parser.end()
  return isRefusal(session) ? session : { ...session, isCut }
}

/** The bytes of a file; a name that ends in `.zst` is unpacked. A link or a pipe that took the place of the file is not followed. */
async function* piecesOf(path: string, signal: AbortSignal): AsyncGenerator<Buffer> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  // Node takes numbers here, its types only names.
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

/** Lines of at most `MOST_LINE` bytes; a longer one has no text, and none of it is kept. The last word is `too long` where not all was read. */
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
