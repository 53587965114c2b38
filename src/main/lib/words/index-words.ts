import { stripVTControlCharacters } from 'node:util'

const COMBINING = /[\u0300-\u036f]/g
const ASCII = /^[\0-\x7f]*$/

// Letters and signs of scripts that put no spaces between words, and Hangul, where what follows a noun is written to it.
const UNSPACED_RUN =
  /[[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]&&[\p{L}\p{M}\p{N}]]+/gv

/** A text without the codes that colour a terminal, which split the words around them. */
export const withoutCodes = (text: string): string =>
  text.includes(CODE) ? stripVTControlCharacters(text) : text

/** What begins such a code. */
export const CODE = '\u001b'

/** A text without case and accents, folded as the word index folds them. */
export function foldText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  return text.normalize('NFD').replace(COMBINING, '').normalize('NFC').toLowerCase()
}

/**
 * A text in which every run of a script without spaces is replaced by its pairs of letters and its last letter, so that
 * a word index finds any part of it.
 */
export function cutUnspaced(text: string): string {
  if (ASCII.test(text)) return text
  return text.replace(UNSPACED_RUN, run => {
    const letters = lettersOf(run)
    return ` ${[...pairsOf(letters), letters.at(-1) ?? ''].join(' ')} `
  })
}

/** Split a word into parts in scripts with spaces between words, and runs of letters in scripts without. */
export function splitUnspaced(word: string): { spaced: string[]; runs: string[][] } {
  const runs = (word.match(UNSPACED_RUN) ?? []).map(run => lettersOf(run)).filter(run => run.length > 0)
  return { spaced: word.split(UNSPACED_RUN).filter(part => part !== ''), runs }
}

/** Every pair of adjacent letters. */
export const pairsOf = (letters: readonly string[]): string[] =>
  letters.slice(1).map((letter, at) => letters[at]! + letter)

/** Vowel signs and tones are left out, as the word index leaves them out; the voice marks of kana are parts of letters. */
const lettersOf = (run: string): string[] => Array.from(run.normalize('NFC').replace(/\p{M}/gu, ''))

/** Extra index terms of a passage: the day, month and year of its messages, in local time. */
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
