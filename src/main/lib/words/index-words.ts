import { stripVTControlCharacters } from 'node:util'

const COMBINING = /[\u0300-\u036f]/g
const ASCII = /^[\0-\x7f]*$/

// Letters and signs of scripts without spaces, and Hangul, where particles are attached to nouns.
const UNSPACED_RUN =
  /[[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]&&[\p{L}\p{M}\p{N}]]+/gv

/** Remove terminal colour codes, which split the words around them. */
export const withoutCodes = (text: string): string =>
  text.includes(CODE) ? stripVTControlCharacters(text) : text

/** The character that starts a colour code. */
export const CODE = '\u001b'

/** Return a text without case and accents, folded like in the word index. */
export function foldText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  return text.normalize('NFD').replace(COMBINING, '').normalize('NFC').toLowerCase()
}

/**
 * Replace every run of an unspaced script by its pairs of letters and its last letter, so that a word index
 * finds any part of it.
 */
export function cutUnspaced(text: string): string {
  if (ASCII.test(text)) return text
  return text.replace(UNSPACED_RUN, run => {
    const letters = lettersOf(run)
    return ` ${[...pairsOf(letters), letters.at(-1) ?? ''].join(' ')} `
  })
}

/** Split a word into its parts in spaced scripts, and its runs of letters in unspaced ones. */
export function splitUnspaced(word: string): { spaced: string[]; runs: string[][] } {
  const runs = (word.match(UNSPACED_RUN) ?? []).map(run => lettersOf(run)).filter(run => run.length > 0)
  return { spaced: word.split(UNSPACED_RUN).filter(part => part !== ''), runs }
}

/** Return all pairs of adjacent letters. */
export const pairsOf = (letters: readonly string[]): string[] =>
  letters.slice(1).map((letter, at) => letters[at]! + letter)

/** Split a run into letters without vowel signs and tones, like the word index; kana voice marks stay. */
const lettersOf = (run: string): string[] => Array.from(run.normalize('NFC').replace(/\p{M}/gu, ''))

/** Return extra index terms of a passage: the day, month and year of its messages, in local time. */
export function dayWords(at: number): { day: string; month: string; anyMonth: string; year: string } {
  const date = new Date(at)
  const year = String(date.getFullYear()).padStart(4, '0')
  const month = String(date.getMonth() + 1).padStart(2, '0')
  return {
    day: `onday${year}${month}${String(date.getDate()).padStart(2, '0')}`,
    month: `inmonth${year}${month}`,
    anyMonth: `inmonth${month}`,
    year: `inyear${year}`,
  }
}
