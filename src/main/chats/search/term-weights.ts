import type { IdRange } from '../../db/search/recall-tables.ts'
import type { ReadStore } from '../../db/file/read-store.ts'
import type { SearchTerm } from './query.ts'

/** A search term with `n`, the number of messages that contain it, and its weight. */
export type WeightedTerm = SearchTerm & { n: number; weight: number }

/** An index query and its id range: only the newest rows if the terms match too many. */
type Lookup = { match: string; within: IdRange }

/** Maximum number of words to search for; the rarest are kept. */
const MAX_WORDS = 12
/** Maximum number of rows for an index to score per search; each takes about a microsecond. */
const BUDGET = { messages: 6_000, passages: 6_000 }
const AT_LEAST = 2
const MAX_KNOWN = 20_000

/** Estimates how common terms are: rare ones are the most significant and the cheapest. */
export type TermWeights = {
  /** Return the terms that the index knows, rarest first. */
  weigh(wanted: readonly SearchTerm[]): WeightedTerm[]
  /** Return how many messages or passages match an expression; may be slightly out of date. */
  frequency(match: string, of: 'messages' | 'passages'): number
  /** Build a query for any of these terms, as many as the row budget allows; undefined if there are none. */
  anyOf(
    wanted: readonly { match: string; n: number }[],
    of: 'messages' | 'passages',
    within: IdRange | undefined,
  ): Lookup | undefined
}

/**
 * Create the weights for a store. Counting a common word takes about a millisecond and the count hardly
 * changes, so it is cached.
 */
export function createTermWeights(store: ReadStore['recall']): TermWeights {
  const known = new Map<string, { size: number; n: number }>()

  function frequencyOf(match: string, of: 'messages' | 'passages', size: number): number {
    const key = `${of} ${match}`
    const before = known.get(key)
    if (before && size < before.size * 1.1 + 100) return before.n
    if (known.size > MAX_KNOWN) known.clear()
    const n = store.frequency(match, of)
    known.set(key, { size, n })
    return n
  }

  const sizeOf = (of: 'messages' | 'passages') => lengthOf(store.range(of))
  const weightOf = (n: number, size: number) => Math.log(1 + (Math.max(size - n, 0) + 0.5) / (n + 0.5))

  return {
    weigh(wanted) {
      const sizes = { messages: sizeOf('messages'), passages: sizeOf('passages') }
      return wanted
        .map(each => {
          const inMessages =
            each.kind === 'unspaced' ? 0 : frequencyOf(each.match, 'messages', sizes.messages)
          // Titles and letters of unspaced scripts are only in the passage index.
          const of = inMessages > 0 ? 'messages' : 'passages'
          const n = inMessages || frequencyOf(each.match, 'passages', sizes.passages)
          return { ...each, n, weight: weightOf(n, sizes[of]) }
        })
        .filter(({ n }) => n > 0)
        .toSorted((a, b) => a.n - b.n)
        .slice(0, MAX_WORDS)
    },
    frequency: (match, of) => frequencyOf(match, of, sizeOf(of)),
    anyOf(wanted, of, within) {
      if (!within || wanted.length === 0) return undefined
      const size = lengthOf(within)
      const chosen: string[] = []
      let rows = 0
      for (const { match, n } of wanted) {
        const more = Math.min(n, size)
        if (chosen.length >= AT_LEAST && rows + more > BUDGET[of]) break
        chosen.push(match)
        rows += more
      }
      const share = Math.min(1, BUDGET[of] / Math.max(rows, 1))
      const first = Math.round(within.last + 1 - size * share)
      return { match: chosen.join(' OR '), within: { first, last: within.last } }
    },
  }
}

const lengthOf = (range: IdRange | undefined): number => (range ? range.last - range.first + 1 : 0)
