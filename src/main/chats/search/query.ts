import { pairsOf, plain, splitUnspaced } from '../lib/index-words.ts'
import { isStopWord, stemOf, WORD } from './words.ts'

/** One thing that is looked for: a word, words that stand side by side, a beginning, or letters of an unspaced script. */
export type Wanted = {
  /** As an FTS5 expression. */
  match: string
  kind: 'words' | 'begun' | 'unspaced'
  /** The stems in order; for a beginning it, for an unspaced script the letters. */
  stems: readonly string[]
}

/** What a question asks for. */
export type Ask = {
  /** What must hold, as an FTS5 expression, when it was written as one. */
  must: string | undefined
  /** What tells what it is about. */
  wanted: Wanted[]
  /** What else it says: words that stand in every sentence. */
  everyday: Wanted[]
  /** FTS5 expressions of what is not wanted. */
  unwanted: string[]
}

/** What is longer is cut: nobody asks so much, and every word costs time. */
const MOST_LETTERS = 1_000
const MOST_WORDS = 40
const DEEPEST = 20
const JOINED = /[\p{L}\p{N}\p{M}\p{Co}]+(?:[-_./\\@:#+&]+[\p{L}\p{N}\p{M}\p{Co}]+)+/gu
const PART = /"[^"]*"?|[()]|[^\s"()]+/g
const OPERATOR = /^(?:AND|OR|NOT)$/

/**
 * Read a question that a model or a person wrote. “Quoted phrases”, `AND`, `OR`, `NOT`, parentheses and `word*` are meant;
 * everything else is words. Any text is a question; none is an error.
 */
export function askOf(query: string): Ask {
  const text = query
    .slice(0, MOST_LETTERS)
    .toWellFormed()
    .replace(/[“”„«»]/g, '"')
  const parts = text.match(PART) ?? []
  const ask: Ask = { must: undefined, wanted: [], everyday: [], unwanted: [] }
  // Somebody who writes everything in capitals does not mean operators.
  const operators = parts.some(part => OPERATOR.test(part)) && /\p{Ll}/u.test(text)
  if (operators) {
    ask.must = createReader(parts, ask).any(0, false)
  } else {
    const phrases = parts.filter(part => part.startsWith('"')).flatMap(part => collect(part, ask))
    for (const part of parts) if (!part.startsWith('"')) collect(part, ask)
    if (phrases.length > 0) ask.must = phrases.map(phrase => phrase.match).join(' AND ')
  }
  if (ask.wanted.some(wanted => wanted.kind === 'unspaced')) ask.must = undefined
  ask.wanted = unique(ask.wanted)
  ask.everyday = unique(ask.everyday)
  return ask
}

/** Read what is joined by operators, as FTS5 does, except that nothing can be wrong: what is missing is left out. */
function createReader(parts: readonly string[], ask: Ask) {
  let at = 0

  function any(depth: number, negated: boolean): string | undefined {
    const found: string[] = []
    do {
      const one = all(depth, negated)
      if (one !== undefined) found.push(one)
    } while (parts[at] === 'OR' && ++at)
    return joined(found, ' OR ')
  }

  function all(depth: number, negated: boolean): string | undefined {
    const wanted: string[] = []
    const unwanted: string[] = []
    let not = false
    for (; at < parts.length && parts[at] !== 'OR'; at++) {
      const part = parts[at]!
      if (part === ')' && depth > 0) break
      if (part === 'NOT') not = true
      if (OPERATOR.test(part) || part === ')') continue
      let one: string | undefined
      if (part === '(' && depth < DEEPEST) {
        at++
        one = any(depth + 1, negated !== not)
        // The end of the text closes what is open.
        if (at >= parts.length) at = parts.length - 1
      } else one = leaf(part, negated !== not)
      if (one !== undefined) (not ? unwanted : wanted).push(one)
      not = false
    }
    const positive = joined(wanted, ' AND ')
    return positive !== undefined && unwanted.length > 0
      ? `(${positive} NOT ${joined(unwanted, ' OR ')})`
      : positive
  }

  function leaf(part: string, negated: boolean): string | undefined {
    const into: Ask = negated ? { must: undefined, wanted: [], everyday: [], unwanted: [] } : ask
    const found = collect(part, into).map(wanted => wanted.match)
    if (negated) ask.unwanted.push(...found)
    return joined(found, ' AND ')
  }
  return { any }
}

const joined = (parts: readonly string[], by: string): string | undefined =>
  parts.length > 1 ? `(${parts.join(by)})` : parts[0]

/** Note what a part of the question asks for. Returns what stands for it in an expression. */
function collect(part: string, ask: Ask): Wanted[] {
  if (ask.wanted.length + ask.everyday.length > MOST_WORDS) return []
  if (part.startsWith('"')) {
    const phrase = wordsIn(part)
    if (phrase.some(isUnspaced)) return phrase.flatMap(word => ofWord(word, ask))
    if (phrase.length === 0) return []
    const wanted = inOrder(phrase)
    ask.wanted.push(wanted)
    return [wanted]
  }
  if (/[\p{L}\p{N}]\*$/u.test(part)) {
    const words = wordsIn(part)
    const last = words.pop()!
    if (!isUnspaced(last) && words.length === 0) {
      const wanted = begunWith(last)
      ask.wanted.push(wanted)
      return [wanted]
    }
  }
  // Something such as foo_bar, 3.22.1 or me@here.org is one thing, and its words are others.
  const things = (part.match(JOINED) ?? [])
    .map(wordsIn)
    .filter(words => words.length > 1 && !words.some(isUnspaced))
  const compounds = things.filter(words => words.some(isTelling)).map(inOrder)
  ask.wanted.push(...compounds)
  const words = wordsIn(part.replace(/['’]s(?![\p{L}\p{N}])/gu, ''))
    // The numbers of a version stand everywhere.
    .filter(word => compounds.length === 0 || !/^\p{N}{1,2}$/u.test(word))
    .flatMap(word => ofWord(word, ask))
  return compounds.length === 1 && things.length === 1 ? compounds : words
}

/** Note a word, those that stand everywhere apart. Returns what tells something. */
function ofWord(word: string, ask: Ask): Wanted[] {
  const { spaced, runs } = splitUnspaced(word)
  const words = spaced.map(part => inOrder([part]))
  if (runs.length === 0 && !isTelling(word)) {
    ask.everyday.push(...words)
    return []
  }
  const pieces = runs.flatMap(letters => (letters.length > 1 ? pairsOf(letters) : letters)).map(unspaced)
  ask.wanted.push(...words, ...pieces)
  return [...words, ...pieces]
}

const wordsIn = (text: string): string[] => text.match(WORD) ?? []
const isUnspaced = (word: string) => splitUnspaced(word).runs.length > 0
const isTelling = (word: string) => !isStopWord(plain(word))

const inOrder = (words: readonly string[]): Wanted => ({
  match: `"${words.join(' ')}"`,
  kind: 'words',
  stems: words.map(word => stemOf(plain(word))),
})
const begunWith = (word: string): Wanted => ({ match: `"${word}"*`, kind: 'begun', stems: [plain(word)] })
const unspaced = (letters: string): Wanted => ({
  match: /^.$/u.test(letters) ? `"${letters}"*` : `"${letters}"`,
  kind: 'unspaced',
  stems: [letters],
})

/** The same question, its last word taken as a beginning too. */
export function withLastBegun(ask: Ask, query: string): Ask {
  const [last] = query.match(/[\p{L}\p{N}]{3,}$/u) ?? []
  if (last === undefined || isUnspaced(last) || !isTelling(last)) return ask
  return { ...ask, wanted: [...ask.wanted, begunWith(last)] }
}

/** A text as it is, for signs that are no words. */
export const literally = (text: string): Wanted => ({ match: '', kind: 'unspaced', stems: [plain(text)] })

const unique = (all: readonly Wanted[]): Wanted[] => [
  ...new Map(all.map(wanted => [`${wanted.kind} ${wanted.stems.join(' ')}`, wanted])).values(),
]
