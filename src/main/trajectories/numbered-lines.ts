import type { Refusal } from '../lib/expected-errors.ts'

/** Maximum bytes of a line; longer ones are skipped. A chat that fills a large context window is smaller. */
const MOST_BYTES = 64 * 1_024 * 1_024
const NEWLINE = 10
/** Drops a byte order mark at the start of a text. */
const DECODER = new TextDecoder('utf-8', { fatal: true })

/** A line with its number, from 1, and its text or the reason why it cannot be read. */
export type NumberedLine = { number: number } & ({ text: string } | Refusal)

/** Split bytes into lines, one in memory at a time. Empty lines count but are left out; so is a BOM. */
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
    // A copy, because a view would keep the whole chunk in memory.
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
