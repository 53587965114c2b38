import type { Clock } from '../lib/clock.ts'
import type { RecalledMessage, RecallFilter, Store } from '../store/types.ts'
import { createCounter } from './count.ts'
import { datesIn, type Dates } from './dates.ts'
import { createLook, type Look } from './look.ts'
import { askOf, literally, withLastBegun, type Ask, type Wanted } from './query.ts'
import { rank, type Candidate, type Passage, type Ranked } from './rank.ts'
import { createWeigher, type Weighed } from './weigh.ts'

/** What is looked for, and where. Times are from, inclusive, and to, exclusive, in epoch milliseconds. */
export type RecallQuestion = Omit<RecallFilter, 'except'> & {
  query: string
  /** The chat that asks; what is in its prompt anyway is no answer. */
  current?: string | undefined
  /** The last word may be unfinished, because it is being typed. */
  typing?: boolean
}

export type Recalled = Ranked & {
  /** What was looked for and is known to the index, to show where it stands. */
  wanted: readonly Wanted[]
  /** What the question is about was never said; what was found has only the everyday words of it. */
  everyday: boolean
}

/** Searches what was ever said in chats; one implementation for the tool, the window and the terminal. */
export type Recall = (question: RecallQuestion) => Recalled

/** Around how many of the best messages is read what was said before and after, and how far. */
const WINDOWS = 100
const REACH = 3
/** With fewer answers, an expression is not taken at its word. */
const ENOUGH = 5
/** Passages that are indexed before a search; the others follow when nobody waits (`keep-indexed.ts`). */
const REFRESHED = 10
/** Signs that are no words are looked for as they are, up to so many letters. */
const LONGEST_LITERAL = 100
/** What it tells that something was said when the question says, in shares of the rarest word. */
const DATE = 0.5

/** Make the search over a store. Any query has an answer, if only an empty one. */
export function createRecall(store: Store['recall'], clock: Clock = Date.now): Recall {
  const weigher = createWeigher(store)

  return ({ query, current, typing = false, ...filter }) => {
    refresh(store)
    const ask = typing ? withLastBegun(askOf(query), query) : askOf(query)
    const dates = datesIn(query, clock())
    const telling = weigher.weigh(ask.wanted)
    const isEmpty = telling.length === 0 && dates === undefined
    let words = isEmpty ? weigher.weigh(ask.everyday) : telling
    const everyday = isEmpty && ask.wanted.length > 0 && words.length > 0

    const look = createLook(store, weigher, { ...filter, except: current })
    const passages = look.passages(words, dates?.words ?? [])
    const must = ask.must === undefined ? [] : look.fulfilling(ask.must)
    let found = must.length >= ENOUGH ? must : lookAgain(look, must, { words, passages, ask })
    if (found.length === 0) {
      const text = query.trim().slice(0, LONGEST_LITERAL)
      found = text === '' ? [] : look.literal(text)
      words = [{ ...literally(text), n: found.length, weight: 1 }]
    }

    const candidates = readAround(store, found, { words, dates, must, current })
    const isStrict = must.length >= ENOUGH || Object.values(filter).some(value => value !== undefined)
    const mayAnswer = candidates.map(each => (isStrict && !each.found ? { ...each, eligible: false } : each))
    const weights = words.map(({ weight }) => weight)
    if (dates) weights.push(DATE * Math.max(1, ...weights))
    return { ...rank(weights, mayAnswer, passages), wanted: words, everyday }
  }
}

/** On a full disk nothing can be indexed; what is indexed can be searched all the same. */
function refresh(store: Store['recall']): void {
  try {
    store.refresh(REFRESHED)
  } catch {
    // Who indexes in the background reports it, and a damaged file makes the search itself fail.
  }
}

/** What fulfils the expression, and then what has any of the words; what is unwanted only when there is nothing else. */
function lookAgain(
  look: Look,
  must: readonly number[],
  { words, passages, ask }: { words: readonly Weighed[]; passages: readonly Passage[]; ask: Ask },
): number[] {
  const found = [
    must,
    look.messages(words, ask.unwanted),
    look.inPassages(passages, words, ask.unwanted),
  ].flat()
  if (found.length === 0 && ask.unwanted.length > 0) return look.messages(words, [])
  return [...new Set(found)]
}

type Reading = {
  words: readonly Weighed[]
  dates: Dates | undefined
  must: readonly number[]
  current: string | undefined
}

/** Read what was found, and what was said around the best of it, chat by chat. */
function readAround(store: Store['recall'], ids: readonly number[], reading: Reading): Candidate[] {
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
