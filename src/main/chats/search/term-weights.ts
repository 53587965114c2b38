import type { IdRange, Store } from '../store/types.ts'
import type { Wanted } from './query.ts'

/** What is looked for, with how many messages have it and how much finding it tells. */
export type Weighed = Wanted & { n: number; weight: number }

/** What an index is asked, and among which ids: the newest only, when what is asked is in too many. */
export type Lookup = { match: string; within: IdRange }

/** More words are never looked for; the rarest ones are kept. */
const MOST_WORDS = 12
/** Rows that an index weighs in one search; each costs about a microsecond. */
const BUDGET = { messages: 6_000, passages: 6_000 }
const AT_LEAST = 2
const MOST_KNOWN = 20_000

/** Knows how common words are: rare ones tell most and cost least. */
export type Weigher = {
  /** What the index knows of these, the rarest first. */
  weigh(wanted: readonly Wanted[]): Weighed[]
  /** In how many messages, or passages, an expression is found; it may be a little out of date. */
  frequency(match: string, of: 'messages' | 'passages'): number
  /** Ask for any of these, as many as can be weighed in time; undefined when there is nothing to ask. */
  anyOf(
    wanted: readonly { match: string; n: number }[],
    of: 'messages' | 'passages',
    within: IdRange | undefined,
  ): Lookup | undefined
}

/** Make it for a store. Counting costs about a millisecond for a common word and hardly changes, so it is remembered. */
export function createWeigher(store: Store['recall']): Weigher {
  const known = new Map<string, { size: number; n: number }>()

  function frequencyOf(match: string, of: 'messages' | 'passages', size: number): number {
    const key = `${of} ${match}`
    const before = known.get(key)
    if (before && size < before.size * 1.1 + 100) return before.n
    if (known.size > MOST_KNOWN) known.clear()
    const n = store.frequency(match, of)
    known.set(key, { size, n })
    return n
  }

  const sizeOf = (of: 'messages' | 'passages') => lengthOf(store.range(of))
  const tells = (n: number, size: number) => Math.log(1 + (Math.max(size - n, 0) + 0.5) / (n + 0.5))

  return {
    weigh(wanted) {
      const sizes = { messages: sizeOf('messages'), passages: sizeOf('passages') }
      return wanted
        .map(each => {
          const inMessages =
            each.kind === 'unspaced' ? 0 : frequencyOf(each.match, 'messages', sizes.messages)
          // Titles and letters of unspaced scripts are indexed with passages only.
          const of = inMessages > 0 ? 'messages' : 'passages'
          const n = inMessages || frequencyOf(each.match, 'passages', sizes.passages)
          return { ...each, n, weight: tells(n, sizes[of]) }
        })
        .filter(({ n }) => n > 0)
        .toSorted((a, b) => a.n - b.n)
        .slice(0, MOST_WORDS)
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
