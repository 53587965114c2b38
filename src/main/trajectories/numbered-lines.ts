/** Bytes of one line; a longer one is skipped. A whole chat of a large context window has less. */
const MOST_BYTES = 64 * 1_024 * 1_024
const NEWLINE = 10

/** A line with its number, from 1; `text` is null when it is too long to be read. */
export type NumberedLine = { number: number; text: string | null }

/** Split bytes into lines without holding more than one of them. Empty lines are counted and left out. */
export async function* numberedLines(
  chunks: AsyncIterable<Buffer>,
  mostBytes = MOST_BYTES,
): AsyncGenerator<NumberedLine, void, void> {
  let parts: Buffer[] = []
  let size = 0
  let number = 1
  const take = (): NumberedLine | undefined => {
    const text = size > mostBytes ? null : Buffer.concat(parts).toString('utf8')
    const line = { number: number++, text }
    parts = []
    size = 0
    return text?.trim() === '' ? undefined : line
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
