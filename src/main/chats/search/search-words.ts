import { stemmer } from 'stemmer'
import { plain } from '../lib/index-words.ts'

/** Words that stand in nearly every English sentence and so tell nothing about what is looked for. */
const STOP_WORDS = new Set(
  `a about above after again all also an and any are aren as at be been before being below between both but by can could
  d did didn do does doesn doing don done down during each every few for from further had has hasn have haven having he her
  here hers herself him himself his how i if in into is isn it its itself just ll m may me might mine more most must my
  myself no nor not o of off on once only or other our ours ourselves out over own re s same shall she should so some such
  t than that the their theirs them themselves then there these they this those through to too under until up us ve very
  was wasn we were weren what when where which while who whom whose why will with would y you your yours yourself
  please tell remember recall find search know`
    .trim()
    .split(/\s+/),
)

/** Longer ones are no words, and only slow things down. */
const LONGEST = 64

/** Stems are asked for again and again; the words of a language are few. */
const stems = new Map<string, string>()
const MOST_STEMS = 50_000

/** Where words stand in a text, cut where the word index cuts. */
export const WORD = /[\p{L}\p{N}\p{M}\p{Co}]+/gu

/** The words of a text in order, without case and accents. */
export const wordsOf = (text: string): string[] => plain(text).match(WORD) ?? []

/** Whether a word, without case, is in nearly every sentence. */
export const isStopWord = (word: string): boolean => STOP_WORDS.has(word)

/** What a word is indexed as: its Porter stem. */
export function stemOf(word: string): string {
  if (word.length < 3 || word.length > LONGEST) return word
  const known = stems.get(word)
  if (known !== undefined) return known
  if (stems.size >= MOST_STEMS) stems.clear()
  const stem = stemmer(word)
  stems.set(word, stem)
  return stem
}
