import type { Clock } from '../../lib/timing.ts'
import type { RecalledMessage, RecallFilter } from '../../db/recall-tables.ts'
import type { ReadStore } from '../../db/read-store.ts'
import { createCounter } from './matches.ts'
import { datesIn, type Dates } from './dates.ts'
import { createIndexSearch, type IndexSearch } from './search-index.ts'
import { parseQuery, literalTerm, withLastAsPrefix, type ParsedQuery, type SearchTerm } from './query.ts'
import { rankMessages, type Candidate, type Passage, type Ranked } from './rank-messages.ts'
import { createTermWeights, type WeightedTerm } from './term-weights.ts'

/** What to search for, and where. The time range is in epoch milliseconds, `from` inclusive, `to` exclusive. */
export type RecallQuestion = Omit<RecallFilter, 'except'> & {
  query: string
  /** The chat that asks; messages in its own prompt are not results. */
  current?: string | undefined
  /** The last word may be incomplete, because the user is still typing. */
  typing?: boolean
}

export type Recalled = Ranked & {
  /** The terms that the index knows, for highlighting. */
  wanted: readonly SearchTerm[]
  /** No significant term was found; the results match only stop words. */
  everyday: boolean
}

/** Searches all chats. The host does it in a thread (`open-search.ts`). */
export type Recall = (question: RecallQuestion) => Recalled

/** Number of best messages to read with their neighbours, and how many neighbours on each side. */
const WINDOWS = 100
const REACH = 3
/** With fewer full matches, partial matches are included. */
const MIN_FULL_MATCHES = 5
/** Maximum length of a verbatim search, used when no word matches. */
const MAX_LITERAL_CHARS = 100
/** Weight of a matching date, as a share of the rarest term's weight. */
const DATE = 0.5

/** Create the search over a store. Every query is valid; the result may be empty. */
export function createRecall(store: ReadStore['recall'], clock: Clock = Date.now): Recall {
  const terms = createTermWeights(store)

  return ({ query, current, typing = false, ...filter }) => {
    const ask = typing ? withLastAsPrefix(parseQuery(query), query) : parseQuery(query)
    const dates = datesIn(query, clock())
    const telling = terms.weigh(ask.wanted)
    const isEmpty = telling.length === 0 && dates === undefined
    let words = isEmpty ? terms.weigh(ask.everyday) : telling
    const everyday = isEmpty && ask.wanted.length > 0 && words.length > 0

    const index = createIndexSearch(store, terms, { ...filter, except: current })
    const passages = index.passages(words, dates?.words ?? [])
    const must = ask.must === undefined ? [] : index.fulfilling(ask.must)
    let found = must.length >= MIN_FULL_MATCHES ? must : findMessages(index, must, { words, passages, ask })
    if (found.length === 0) {
      const text = query.trim().slice(0, MAX_LITERAL_CHARS)
      found = text === '' ? [] : index.literal(text)
      words = [{ ...literalTerm(text), n: found.length, weight: 1 }]
    }

    const candidates = readAround(store, found, { words, dates, must, current })
    const isStrict =
      must.length >= MIN_FULL_MATCHES || Object.values(filter).some(value => value !== undefined)
    const mayAnswer = candidates.map(each => (isStrict && !each.found ? { ...each, eligible: false } : each))
    const weights = words.map(({ weight }) => weight)
    if (dates) weights.push(DATE * Math.max(1, ...weights))
    return { ...rankMessages(weights, mayAnswer, passages), wanted: words, everyday }
  }
}

/** Full matches, then partial matches. Excluded terms only appear when there is nothing else. */
function findMessages(
  index: IndexSearch,
  must: readonly number[],
  {
    words,
    passages,
    ask,
  }: { words: readonly WeightedTerm[]; passages: readonly Passage[]; ask: ParsedQuery },
): number[] {
  const found = [
    must,
    index.messages(words, ask.unwanted),
    index.inPassages(passages, words, ask.unwanted),
  ].flat()
  if (found.length === 0 && ask.unwanted.length > 0) return index.messages(words, [])
  return [...new Set(found)]
}

type Reading = {
  words: readonly WeightedTerm[]
  dates: Dates | undefined
  must: readonly number[]
  current: string | undefined
}

/** Read the matches, and the neighbours of the best ones, grouped by chat. */
function readAround(store: ReadStore['recall'], ids: readonly number[], reading: Reading): Candidate[] {
  const { words, dates, must, current } = reading
  const best = store.windows(ids.slice(0, WINDOWS), REACH)
  const known = new Set(best.map(message => message.id))
  const others = store.windows(
    ids.slice(WINDOWS).filter(id => !known.has(id)),
    0,
  )
  const read = [...best, ...others].toSorted(byChat)
  const chatOf = store.roots([...new Set(read.map(message => message.sessionId))])
  const count = createCounter(words)
  const found = new Set(ids)
  const fulfilling = new Set(must)
  return read.map(message => ({
    ...message,
    chatId: chatOf.get(message.sessionId) ?? message.sessionId,
    counts: [...count(message.text), ...(dates ? [Number(dates.matches(message.at))] : [])],
    found: found.has(message.id),
    eligible: message.sessionId !== current || message.compacted,
    fulfils: fulfilling.has(message.id),
  }))
}

const byChat = (a: RecalledMessage, b: RecalledMessage) =>
  a.sessionId === b.sessionId ? a.id - b.id : a.sessionId < b.sessionId ? -1 : 1
