import type { RecallFilter } from '../../db/search/recall-tables.ts'
import type { ReadStore } from '../../db/file/read-store.ts'
import { insideTerm, type SearchTerm } from './query.ts'
import { writingsOf } from '../../lib/words/spellings.ts'
import type { WeightedTerm } from './term-weights.ts'

// German, Dutch, Swedish and Finnish write words together, and the index knows whole words only: “Haftpflicht” stands inside of
// “Kraftfahrzeughaftpflichtversicherung”.

/** A shorter word stands inside of too many others to mean one of them; the second where other words of the query were found. */
const LEAST_LETTERS = 4
const LEAST_BESIDE = 7
/** A word that is asked for alone and is in more messages than these is not looked for inside of others. */
const FEW = 2
/** Words of one query that are looked for inside of others. */
const MOST_WORDS = 3
/** What a part of a word tells beside a whole one. */
const WEIGHT = 0.6

/** Messages that have words of a query inside of other words, and terms to weigh and show them. */
export type Inside = { ids: number[]; terms: WeightedTerm[] }

/** Look inside of words for what the index does not know, or hardly knows. The newest messages are read, for as long as there is time. */
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
  // While a word is being typed it is also looked for as the beginning of others.
  const begun = known.find(each => each.kind === 'begun' && each.words?.at(-1) === word)
  const itself = known.find(each => each.match === term.match)
  const n = Math.max(itself?.n ?? 0, begun?.n ?? 0)
  const { length: letters } = Array.from(word)
  const isAlone = known.every(each => each === itself || each === begun)
  const [least, few] = isAlone ? [LEAST_LETTERS, FEW] : [LEAST_BESIDE, 0]
  return letters >= least && n <= few ? [word] : []
}
