/** The newest output of a process. Positions count all characters from the start, so that any number of readers can go on. */
export type OutputTail = {
  add(text: string): void
  /** The position behind the last character. */
  readonly end: number
  /** The kept text from a position on. `dropped` counts the characters from there that were not kept. */
  since(position: number): { text: string; dropped: number }
}

/** Characters that are kept of each process. */
const MOST_KEPT = 64_000

/** Keep the newest `limit` characters. */
export function createOutputTail(limit = MOST_KEPT): OutputTail {
  let kept = ''
  let end = 0
  const trim = (most: number) => {
    if (kept.length > most) kept = kept.slice(-limit)
  }
  return {
    add(text) {
      end += text.length
      kept += text.length > limit ? text.slice(-limit) : text
      // Twice as much may gather, because cutting at every piece would be slow.
      trim(2 * limit)
    },
    get end() {
      return end
    },
    since(position) {
      trim(limit)
      const from = Math.max(position, end - kept.length)
      return { text: kept.slice(kept.length - (end - from)).toWellFormed(), dropped: from - position }
    },
  }
}
