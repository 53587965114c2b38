import type { RecalledPassage, RecallFilter, Store } from '../store/types.ts'
import type { Ask } from './query.ts'
import type { Weighed, Weigher } from './weigh.ts'

/** How many messages and passages the indexes are asked for. */
const MESSAGES = 250
const PASSAGES = 50
/** In so many of the best passages every message that has one of the words is found, whatever the index thinks of it. */
const READ_PASSAGES = 10

/** The rarest words, of which one is looked for there; common ones would have nearly every message read. */
const READ_WORDS = 6

/** What the indexes say to one question. */
export type Look = {
  /** Parts of chats that fit as a whole, best first. */
  passages(words: readonly Weighed[], dates: readonly string[]): RecalledPassage[]
  /** Ids of messages that fulfil an expression, best first. */
  fulfilling(must: string): number[]
  /** Ids of messages with any of the words, best first, but for what is unwanted. */
  messages(words: readonly Weighed[], unwanted: Ask['unwanted']): number[]
  /** Ids of the messages in the best passages that have any of the words, and of the first where none has. */
  inPassages(
    passages: readonly RecalledPassage[],
    words: readonly Weighed[],
    unwanted: Ask['unwanted'],
  ): number[]
  /** Ids of the newest messages that hold a text as it is. */
  literal(text: string): number[]
}

/** Prepare to ask the indexes of a store about what passes a filter. */
export function createLook(store: Store['recall'], weigher: Weigher, filter: RecallFilter): Look {
  const { except: _, ...strict } = filter
  const isFiltered = Object.values(strict).some(value => value !== undefined)
  const isWithin = filter.from !== undefined || filter.to !== undefined || filter.source !== undefined
  const within = isWithin ? store.rangeOf(filter) : store.range('messages')

  function look(wanted: readonly { match: string; n: number }[], unwanted: Ask['unwanted']): number[] {
    const lookup = weigher.anyOf(wanted, 'messages', within)
    if (!lookup) return []
    const match = without(lookup.match, unwanted)
    return store.messages(match, { within: lookup.within, limit: MESSAGES, filter })
  }

  return {
    passages(words, dates) {
      const wanted = [...words, ...dates.map(match => ({ match, n: weigher.frequency(match, 'passages') }))]
      const known = wanted.filter(({ n }) => n > 0).toSorted((a, b) => a.n - b.n)
      const lookup = weigher.anyOf(known, 'passages', store.range('passages'))
      return lookup ? store.passages(lookup.match, { within: lookup.within, limit: PASSAGES }) : []
    },
    fulfilling: must => look([{ match: must, n: weigher.frequency(must, 'messages') }], []),
    messages: (words, unwanted) => look(words.filter(isInMessages), unwanted),
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
      // A title or a date was found, and nothing that was said: then the beginning stands for all of it.
      const silent = best.filter(({ firstId, lastId }) => !found.some(id => firstId <= id && id <= lastId))
      return [...found, ...silent.map(({ firstId }) => firstId)]
    },
    literal: text => store.literal(text, MESSAGES, filter),
  }
}

/** Letters of scripts without spaces are indexed with passages only. */
const isInMessages = ({ kind }: Weighed) => kind !== 'unspaced'

const without = (match: string, unwanted: Ask['unwanted']) =>
  unwanted.length > 0 ? `(${match}) NOT (${unwanted.join(' OR ')})` : match
