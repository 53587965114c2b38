/** The newest output of a process. Positions count from its start, so that many readers can continue. */
export type OutputTail = {
  add(text: string): void
  /** The position after the last character. */
  readonly end: number
  /** The kept text from a position on. `dropped`: how many characters from there were discarded. */
  since(position: number): { text: string; dropped: number }
}

/** How many characters are kept for each process. */
const MOST_KEPT = 64_000

/** Create a tail that keeps the newest `limit` characters. */
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
      // Let twice as much gather, because cutting after every piece would be slow.
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
