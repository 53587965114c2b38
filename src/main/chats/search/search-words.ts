import { stemmer } from 'stemmer'
import { plain } from '../../lib/index-words.ts'

/** Words so common in English that they say nothing about the topic. */
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

/** Longer tokens are not words and only slow stemming down. */
const MAX_WORD_CHARS = 64

/** Cache of stems; the same words come up constantly. */
const stems = new Map<string, string>()
const MAX_STEMS = 50_000

/** Matches words, split like the word index splits them. */
export const WORD = /[\p{L}\p{N}\p{M}\p{Co}]+/gu

/** The words of a text in order, without case and accents. */
export const wordsOf = (text: string): string[] => plain(text).match(WORD) ?? []

/** Whether a lower-case word is a stop word. */
export const isStopWord = (word: string): boolean => STOP_WORDS.has(word)

/** The form in which a word is indexed: its Porter stem. */
export function stemOf(word: string): string {
  if (word.length < 3 || word.length > MAX_WORD_CHARS) return word
  const known = stems.get(word)
  if (known !== undefined) return known
  if (stems.size >= MAX_STEMS) stems.clear()
  const stem = stemmer(word)
  stems.set(word, stem)
  return stem
}
