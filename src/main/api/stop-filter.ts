/** Ends a text before the first of several stop texts, even if they arrive in pieces. */
export type StopFilter = {
  /** Add a piece. Returns the text to show now, and the stop text once found, after which nothing follows. */
  push(piece: string): { text: string; hit: string | undefined }
  /** Return the text that was held back. */
  end(): string
}

/** Create a filter for these texts; an empty list lets everything through. */
export function createStopFilter(stops: readonly string[]): StopFilter {
  const longest = Math.max(0, ...stops.map(({ length }) => length))
  let held = ''
  return {
    push(piece) {
      if (longest === 0) return { text: piece, hit: undefined }
      held += piece
      const found = stops
        .map(stop => ({ stop, at: held.indexOf(stop) }))
        .filter(({ at }) => at >= 0)
        // At the same position the longer one wins, because it starts with the shorter one.
        .toSorted((a, b) => a.at - b.at || b.stop.length - a.stop.length)[0]
      if (found) {
        const text = held.slice(0, found.at)
        held = ''
        return { text, hit: found.stop }
      }
      const keep = lengthOfBeginning(held, stops)
      const text = held.slice(0, held.length - keep)
      held = held.slice(held.length - keep)
      return { text, hit: undefined }
    },
    end() {
      const rest = held
      held = ''
      return rest
    },
  }
}

/** Return how many letters at the end of a text may be the beginning of a stop text. */
function lengthOfBeginning(text: string, stops: readonly string[]): number {
  let most = 0
  for (const stop of stops)
    for (let length = Math.min(stop.length - 1, text.length); length > most; length -= 1)
      if (text.endsWith(stop.slice(0, length))) {
        most = length
        break
      }
  return most
}
