import type { RecalledPassage, RecallFilter } from '../../db/search/recall-tables.ts'
import type { ReadStore } from '../../db/file/read-store.ts'
import { CODE } from '../../lib/words/index-words.ts'
import type { ParsedQuery } from './query.ts'
import type { WeightedTerm, TermWeights } from './term-weights.ts'

/** Maximum number of messages and passages to request from the indexes. */
const MESSAGES = 250
const PASSAGES = 50
/** How many of the best passages contribute all their matching messages, even those ranked low. */
const READ_PASSAGES = 10

/** How many of the rarest words to search within passages; common ones would match nearly every message. */
const READ_WORDS = 6

/** Searches the indexes for one query. */
export type IndexSearch = {
  /** Return matching passages, best first. */
  passages(words: readonly WeightedTerm[], dates: readonly string[]): RecalledPassage[]
  /** Return ids of messages that match an expression, best first. */
  fulfilling(must: string): number[]
  /** Return ids of messages with any of the words, best first, without excluded terms. */
  messages(words: readonly WeightedTerm[], unwanted: ParsedQuery['unwanted']): number[]
  /**
   * Return ids of messages in the best passages that contain any of the words. A passage without such a
   * message contributes the id of its first one.
   */
  inPassages(
    passages: readonly RecalledPassage[],
    words: readonly WeightedTerm[],
    unwanted: ParsedQuery['unwanted'],
  ): number[]
  /** Return ids of the newest messages that contain a text verbatim. */
  literal(text: string): number[]
}

/** Prepare to search the indexes of a store with a filter. */
export function createIndexSearch(
  store: ReadStore['recall'],
  terms: TermWeights,
  filter: RecallFilter,
): IndexSearch {
  const { except: _, without: hidden, ...strict } = filter
  const isFiltered = Object.values(strict).some(value => value !== undefined)
  const isWithin = filter.from !== undefined || filter.to !== undefined || filter.origin !== undefined
  const within = isWithin ? store.rangeOf(filter) : store.range('messages')

  function searchMessages(
    wanted: readonly { match: string; n: number }[],
    unwanted: ParsedQuery['unwanted'],
  ): number[] {
    const lookup = terms.anyOf(wanted, 'messages', within)
    if (!lookup) return []
    const match = without(lookup.match, unwanted)
    return store.messages(match, { within: lookup.within, limit: MESSAGES, filter })
  }

  return {
    passages(words, dates) {
      const wanted = [...words, ...dates.map(match => ({ match, n: terms.frequency(match, 'passages') }))]
      const known = wanted.filter(({ n }) => n > 0).toSorted((a, b) => a.n - b.n)
      const lookup = terms.anyOf(known, 'passages', store.range('passages'))
      return lookup
        ? store.passages(lookup.match, { within: lookup.within, limit: PASSAGES, without: hidden })
        : []
    },
    fulfilling: must => searchMessages([{ match: must, n: terms.frequency(must, 'messages') }], []),
    messages: (words, unwanted) => searchMessages(words.filter(isInMessages), unwanted),
    inPassages(passages, words, unwanted) {
      const best = passages.slice(0, READ_PASSAGES)
      const indexed = words
        .filter(isInMessages)
        .slice(0, READ_WORDS)
        .map(({ match }) => match)
      const letters = words.filter(word => !isInMessages(word)).map(({ stems: [text = ''] }) => text)
      const found =
        indexed.length > 0 ? store.inPassages(best, without(indexed.join(' OR '), unwanted), filter) : []
      if (letters.length > 0) found.push(...store.holding(passages, letters, filter))
      if (isFiltered || unwanted.length > 0) return found
      // The title or date matched but no message did, so the first message represents the passage.
      const silent = best.filter(({ firstId, lastId }) => !found.some(id => firstId <= id && id <= lastId))
      // Or a colour code is inside the word, which the message index splits in two.
      const coloured = store.holding(silent, [CODE], filter)
      return [...found, ...coloured, ...silent.map(({ firstId }) => firstId)]
    },
    literal: text => store.literal(text, MESSAGES, filter),
  }
}

/** Return whether the message index covers a term: it lacks letters of unspaced scripts. */
const isInMessages = ({ kind }: WeightedTerm) => kind !== 'unspaced'

const without = (match: string, unwanted: ParsedQuery['unwanted']) =>
  unwanted.length > 0 ? `(${match}) NOT (${unwanted.join(' OR ')})` : match
