import { meaningsOf, type Meanings } from '../words/meanings.ts'
import type { WordKind } from '../words/word-table.ts'

/**
 * A piece of the text. `number` is a whole number, with `dotted` if a full stop follows. `parts` are the
 * numbers of a time, a date or a fraction.
 */
export type Token = {
  type: 'word' | 'number' | 'clock' | 'decimal' | 'date' | 'slash' | 'iso' | 'sign'
  text: string
  from: number
  to: number
  /** No space separates it from the token before. */
  isGlued: boolean
  number?: number
  isOrdinal?: boolean
  isDotted?: boolean
  parts?: readonly number[]
  meanings: Meanings
}

const PIECES =
  /(?<iso>\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?(?![\w]))|(?<date>\d{1,2}\.\d{1,2}\.(?:\d{4}|\d{2})?(?!\d))|(?<slash>\d{1,4}\/\d{1,2}(?:\/\d{1,4})?(?![\w/]))|(?<clock>\d{1,3}:\d{1,3}(?::\d{2})?(?!\d))|(?<decimal>\d{1,9}[.,]\d{1,9}(?!\d))|(?<ordinal>\d{1,9}(?:st|nd|rd|th)(?!\p{L}))|(?<number>\d{1,12})|(?<meridiem>[ap]\.m\.?)|(?<word>\p{L}[\p{L}\p{M}'’]*)|(?<sign>[^\s])/giuy

const COMPOUND =
  /^((?:mon|diens|donners|frei|sams|sonn)tag|mittwoch)(morgen|früh|vormittag|mittag|nachmittag|abend|nacht)(s?)$/

/** Split a text into words, numbers, times, dates and signs, each with its possible meanings. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  const pieces = new RegExp(PIECES)
  for (let at = 0; at < text.length;) {
    pieces.lastIndex = at
    const match = pieces.exec(text)
    if (!match) {
      at++
      continue
    }
    tokens.push(...tokensFrom(match, text))
    at = pieces.lastIndex
  }
  return tokens
}

function tokensFrom(match: RegExpExecArray, text: string): Token[] {
  const [raw] = match
  const groups = match.groups!
  const from = match.index
  const numbers = () =>
    raw
      .split(/\D+/)
      .filter(each => each !== '')
      .map(Number)
  const base = {
    text: raw,
    from,
    to: from + raw.length,
    isGlued: from > 0 && !/\s/.test(text[from - 1]!),
    meanings: {},
  }
  for (const type of ['iso', 'date', 'slash', 'clock', 'decimal'] as const)
    if (groups[type] !== undefined) return [{ ...base, type, parts: numbers() }]
  if (groups['ordinal'] !== undefined)
    return [{ ...base, type: 'number', number: Number.parseInt(raw), isOrdinal: true }]
  if (groups['number'] !== undefined)
    return [{ ...base, type: 'number', number: Number(raw), isDotted: text[base.to] === '.' }]
  if (groups['meridiem'] !== undefined)
    return [{ ...base, type: 'word', meanings: { meridiem: /^p/i.test(raw) ? 12 : 0 } }]
  if (groups['word'] === undefined) return [{ ...base, type: 'sign' }]
  const word = raw.normalize('NFC').toLowerCase().replaceAll('’', "'")
  const [, day, part, many] = COMPOUND.exec(word) ?? []
  if (day === undefined || part === undefined) return [{ ...base, type: 'word', meanings: meaningsOf(word) }]
  const middle = from + day.length
  return [
    { ...base, type: 'word', text: day, to: middle, meanings: meaningsOf(many ? `${day}s` : day) },
    {
      ...base,
      type: 'word',
      text: part,
      from: middle,
      isGlued: true,
      meanings: { part: meaningsOf(part).part! },
    },
  ]
}

/** The value of a token as one of these kinds of words; undefined if it is of another kind. */
export function valueOf(token: Token | undefined, ...kinds: readonly WordKind[]): number | undefined {
  for (const kind of kinds) if (token?.meanings[kind] !== undefined) return token.meanings[kind]
  return undefined
}

/** Whether a token is one of these kinds of words. */
export const isKind = (token: Token | undefined, ...kinds: readonly WordKind[]): boolean =>
  valueOf(token, ...kinds) !== undefined

/** Whether a token is this sign. */
export const isSign = (token: Token | undefined, signs: string): boolean =>
  token?.type === 'sign' && signs.includes(token.text)

/** Maximum number of small words to skip in a row. A phrase has no more, and skipping many takes long. */
const MOST_SKIPPED = 4

/** The index after a few tokens of these kinds. */
export function skipKinds(tokens: readonly Token[], at: number, ...kinds: readonly WordKind[]): number {
  const last = at + MOST_SKIPPED
  while (at < last && isKind(tokens[at], ...kinds)) at++
  return at
}

const HARMLESS = new Set(['german', 'of', 'article', 'per', 'working'])

/** Whether a token is a word that says nothing about time. */
export const isPlain = (token: Token | undefined): boolean =>
  token?.type === 'word' && Object.keys(token.meanings).every(kind => HARMLESS.has(kind))
