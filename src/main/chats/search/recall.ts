import { FOUND_LAST, NEVER_FOUND } from '../../../shared/origin-rules.ts'
import type { Clock } from '../../lib/timing.ts'
import type { RecalledMessage, RecallFilter } from '../../db/search/recall-tables.ts'
import type { ReadStore } from '../../db/file/read-store.ts'
import { createCounter } from './matches.ts'
import { datesIn, type Dates } from './dates.ts'
import { createIndexSearch, type IndexSearch } from './search-index.ts'
import { findInside } from './inside-words.ts'
import { parseQuery, literalTerm, withLastAsPrefix, type ParsedQuery, type SearchTerm } from './query.ts'
import { rankMessages, type Candidate, type Passage, type Ranked } from './rank-messages.ts'
import { createTermWeights, type WeightedTerm } from './term-weights.ts'
import { createWrittenCheck } from './written-check.ts'

/** The terms and scope of a search. The time range is in epoch ms, `from` inclusive, `to` exclusive. */
export type RecallQuestion = Omit<RecallFilter, 'except' | 'without'> & {
  query: string
  /** Whether a model asks: it finds no chats of sub-agents (`OriginRules.found`), a user finds all. */
  forModel?: boolean
  /** The chat that asks; messages in its own prompt are not results. */
  current?: string | undefined
  /** The last word may be incomplete, because the user is still typing. */
  typing?: boolean
}

export type Recalled = Ranked & {
  /** The terms that the index knows, for highlighting. */
  wanted: readonly SearchTerm[]
  /** Whether no significant term was found, so that the results match only stop words. */
  everyday: boolean
  /** Unattended chats, which come after the others if a model asks; empty for a user. */
  unattended: ReadonlySet<string>
}

/** Searches all chats. The host does it in a thread (`open-search.ts`). */
export type Recall = (question: RecallQuestion) => Recalled

/** How many best messages to read with their neighbours, and how many neighbours on each side. */
const WINDOWS = 100
const REACH = 3
/** Below this number of full matches, partial matches are included. */
const MIN_FULL_MATCHES = 5
/** Maximum length of a verbatim search, which is used if no word matches. */
const MAX_LITERAL_CHARS = 100
/** Weight of a matching date, as a share of the rarest term's weight. */
const DATE = 0.5

/** Create the search over a store. Every query is valid; the result may be empty. */
export function createRecall(store: ReadStore['recall'], clock: Clock = Date.now): Recall {
  const terms = createTermWeights(store)
  const isWritten = createWrittenCheck(store, terms)

  return ({ query, forModel = false, current, typing = false, ...asked }) => {
    const isFiltered = Object.values(asked).some(value => value !== undefined)
    const filter = { ...asked, without: forModel ? NEVER_FOUND : undefined }
    const parsed = parseQuery(query, isWritten)
    const ask = typing ? withLastAsPrefix(parsed, query, isWritten) : parsed
    const dates = datesIn(query, clock())
    const telling = terms.weigh(ask.wanted)
    const inside = findInside(store, ask.wanted, telling, { ...filter, except: current })
    const isEmpty = telling.length === 0 && dates === undefined && inside.ids.length === 0
    let words = isEmpty ? terms.weigh(ask.everyday) : telling
    const everyday = isEmpty && ask.wanted.length > 0 && words.length > 0

    const index = createIndexSearch(store, terms, { ...filter, except: current })
    const passages = index.passages(words, dates?.words ?? [])
    const must = ask.must === undefined ? [] : index.fulfilling(ask.must)
    let found = must.length >= MIN_FULL_MATCHES ? must : findMessages(index, must, { words, passages, ask })
    if (inside.ids.length > 0) {
      found = [...new Set([...found, ...inside.ids])]
      words = [...words, ...inside.terms]
    }
    if (found.length === 0) {
      const text = query.trim().slice(0, MAX_LITERAL_CHARS)
      found = text === '' ? [] : index.literal(text)
      words = [{ ...literalTerm(text), n: found.length, weight: 1 }]
    }

    const candidates = readAround(store, found, { words, dates, must, current })
    const isStrict = must.length >= MIN_FULL_MATCHES || isFiltered
    const mayAnswer = candidates.map(each => (isStrict && !each.found ? { ...each, eligible: false } : each))
    const weights = words.map(({ weight }) => weight)
    if (dates) weights.push(DATE * Math.max(1, ...weights))
    const ranked = rankMessages(weights, mayAnswer, passages)
    const named = isFiltered ? [] : chatsNamed(store, query, { current, without: filter.without })
    const chats = namedFirst(named, ranked.chats)
    return {
      messages: ranked.messages,
      chats,
      wanted: words,
      everyday: everyday && named.length === 0,
      unattended: forModel
        ? store.unattended(
            chats.map(({ chatId }) => chatId),
            FOUND_LAST,
          )
        : new Set(),
    }
  }
}

/** Return the chats whose title is the query, with their first message, without the chat that asks. */
function chatsNamed(
  store: ReadStore['recall'],
  query: string,
  { current, without }: Pick<RecallFilter, 'without'> & Pick<RecallQuestion, 'current'>,
): Ranked['chats'] {
  const title = query.trim().replace(/^["“”„](.*)["“”„]$/u, '$1')
  if (title === '') return []
  const ids = store.titled(title, without).filter(id => id !== current)
  const roots = store.roots(ids, NEVER_FOUND)
  const named = new Map<string, Ranked['chats'][number]>()
  for (const id of ids) {
    const chatId = roots.get(id) ?? id
    const [first] = store.ends(id, 1)
    if (first && !named.has(chatId)) named.set(chatId, { chatId, score: 0, best: [first.id] })
  }
  return [...named.values()]
}

/** Put chats found by title first, with their best messages if the words were found in them too. */
function namedFirst(named: Ranked['chats'], ranked: Ranked['chats']): Ranked['chats'] {
  if (named.length === 0) return ranked
  const found = new Map(ranked.map(chat => [chat.chatId, chat]))
  const best = Math.max(0, ...ranked.map(({ score }) => score))
  const first = named.map(chat => ({ ...(found.get(chat.chatId) ?? chat), score: best }))
  const ids = new Set(first.map(({ chatId }) => chatId))
  return [...first, ...ranked.filter(({ chatId }) => !ids.has(chatId))]
}

/** Return full matches, then partial ones. Messages with excluded terms only appear if nothing else does. */
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

/** Read the matches and the neighbours of the best ones, grouped by chat. */
function readAround(store: ReadStore['recall'], ids: readonly number[], reading: Reading): Candidate[] {
  const { words, dates, must, current } = reading
  const best = store.windows(ids.slice(0, WINDOWS), REACH)
  const known = new Set(best.map(message => message.id))
  const others = store.windows(
    ids.slice(WINDOWS).filter(id => !known.has(id)),
    0,
  )
  const read = [...best, ...others].toSorted(byChat)
  const chatOf = store.roots([...new Set(read.map(message => message.sessionId))], NEVER_FOUND)
  const count = createCounter(words)
  const found = new Set(ids)
  const fulfilling = new Set(must)
  return read.map(message => ({
    ...message,
    chatId: chatOf.get(message.sessionId) ?? message.sessionId,
    counts: [...count(message.text), ...(dates ? [Number(dates.matches(message.at))] : [])],
    found: found.has(message.id),
    eligible: message.sessionId !== current || message.compacted || message.elsewhere,
    fulfils: fulfilling.has(message.id),
  }))
}

const byChat = (a: RecalledMessage, b: RecalledMessage) =>
  a.sessionId === b.sessionId ? a.id - b.id : a.sessionId < b.sessionId ? -1 : 1
