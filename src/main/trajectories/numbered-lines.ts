import type { Refusal } from '../lib/expected-errors.ts'

/** Bytes of one line; a longer one is skipped. A whole chat of a large context window has less. */
const MOST_BYTES = 64 * 1_024 * 1_024
const NEWLINE = 10
/** Leaves out the mark of UTF-8 at the start of a text. */
const DECODER = new TextDecoder('utf-8', { fatal: true })

/** A line with its number, from 1, and its text or why it cannot be read. */
export type NumberedLine = { number: number } & ({ text: string } | Refusal)

/** Split bytes into lines without holding more than one of them. Empty lines are counted and left out, the mark of UTF-8 too. */
export async function* numberedLines(
  chunks: AsyncIterable<Buffer>,
  mostBytes = MOST_BYTES,
): AsyncGenerator<NumberedLine, void, void> {
  let parts: Buffer[] = []
  let size = 0
  let number = 0
  const take = (): NumberedLine | undefined => {
    number++
    const isLong = size > mostBytes
    const bytes = Buffer.concat(parts)
    parts = []
    size = 0
    if (isLong) return { number, refused: `it has more than ${mostBytes.toLocaleString('en')} bytes` }
    const text = decodeText(bytes)
    if (text === undefined) return { number, refused: 'it is not UTF-8 text' }
    return text.trim() === '' ? undefined : { number, text }
  }
  const add = (part: Buffer) => {
    size += part.length
    if (size > mostBytes) parts = []
    else parts.push(part)
  }
  for await (const chunk of chunks) {
    let from = 0
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      add(chunk.subarray(from, at))
      from = at + 1
      const line = take()
      if (line) yield line
    }
    // A copy, or the whole chunk would stay in memory with its last letters.
    if (from < chunk.length) add(Buffer.from(chunk.subarray(from)))
  }
  const line = size > 0 ? take() : undefined
  if (line) yield line
}

function decodeText(bytes: Buffer): string | undefined {
  try {
    return DECODER.decode(bytes)
  } catch {
    return undefined
  }
}
