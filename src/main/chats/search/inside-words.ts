import type { RecallFilter } from '../../db/search/recall-tables.ts'
import type { ReadStore } from '../../db/file/read-store.ts'
import { insideTerm, type SearchTerm } from './query.ts'
import { writingsOf } from '../../lib/words/spellings.ts'
import type { WeightedTerm } from './term-weights.ts'

// German, Dutch, Swedish and Finnish join words, but the index only knows whole words: “Haftpflicht” is part
// of “Kraftfahrzeughaftpflichtversicherung”.

/** Minimum letters; shorter words are inside too many others. The second applies if other words match. */
const LEAST_LETTERS = 4
const LEAST_BESIDE = 7
/** A lone word in more messages than this is not searched for inside other words. */
const FEW = 2
/** Maximum number of words of one query to search inside others. */
const MOST_WORDS = 3
/** Weight of a part of a word, relative to a whole word. */
const WEIGHT = 0.6

/** Messages with words of a query inside other words, and terms for ranking and highlighting. */
export type Inside = { ids: number[]; terms: WeightedTerm[] }

/** Search inside words for terms the index (hardly) knows. Reads newest messages, within a time limit. */
export function findInside(
  store: ReadStore['recall'],
  wanted: readonly SearchTerm[],
  known: readonly WeightedTerm[],
  filter: RecallFilter,
): Inside {
  const words = [...new Set(wanted.flatMap(term => wordToLookFor(term, known)))].slice(0, MOST_WORDS)
  const found = words.map(word => ({ word, ids: store.inside(writingsOf(word), filter) }))
  const ids = [...new Set(found.flatMap(each => each.ids))]
  const heaviest = Math.max(1, ...known.map(({ weight }) => weight))
  const terms = found
    .filter(each => each.ids.length > 0)
    .map(each => ({ ...insideTerm(each.word), n: each.ids.length, weight: WEIGHT * heaviest }))
  return { ids, terms }
}

function wordToLookFor(term: SearchTerm, known: readonly WeightedTerm[]): string[] {
  const [word = '', ...more] = term.words ?? []
  if (term.kind !== 'words' || more.length > 0 || !/^[\p{L}\p{M}]+$/u.test(word)) return []
  // A word that is still being typed is also searched as the beginning of others.
  const begun = known.find(each => each.kind === 'begun' && each.words?.at(-1) === word)
  const itself = known.find(each => each.match === term.match)
  const n = Math.max(itself?.n ?? 0, begun?.n ?? 0)
  const { length: letters } = Array.from(word)
  const isAlone = known.every(each => each === itself || each === begun)
  const [least, few] = isAlone ? [LEAST_LETTERS, FEW] : [LEAST_BESIDE, 0]
  return letters >= least && n <= few ? [word] : []
}
