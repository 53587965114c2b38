import { isKind, isSign, type Token } from '../read/time-tokens.ts'

type Tokens = readonly Token[]

/** A token that no clause has read, with its surroundings. */
export type UnreadToken = {
  tokens: Tokens
  at: number
  token: Token
  before: Token | undefined
  after: Token | undefined
  /** A clause ends directly before the token, or begins directly after it. */
  isAfterClause: boolean
  isBeforeClause: boolean
  /** A clause ends before the token, with only small words between. */
  isNearClause: boolean
  /** For each token, whether a planning clause has read it. */
  isRead: readonly boolean[]
  /** The text has words that exist only in German. */
  isGerman: boolean
  recurs: boolean
  /** Only a time of day is known, so the day is the next one. */
  isBareTime: boolean
}

/** Whether a token is a number in digits or words, articles excluded. */
export const isNumeric = (token: Token | undefined) => token?.type === 'number' || isNumberWord(token)
const isNumberWord = (token: Token | undefined) =>
  isKind(token, 'number') && !/^(an?|one|eine[rmns]?|ein)$/i.test(token!.text)

const TIMELY = [
  'weekday',
  'weekdays',
  'group',
  'groups',
  'offset',
  'unit',
  'months',
  'part',
  'parts',
  'clock',
  'holiday',
  'ordinal',
] as const

/** Whether a token would be meant as a word of time. */
export const isTimely = (token: Token | undefined) =>
  token !== undefined &&
  (['clock', 'iso', 'date', 'number'].includes(token.type) ||
    isKind(token, ...TIMELY) ||
    (isKind(token, 'month') && token.text.length > 3))

/** Whether one of the next words of the sentence is a word of time. */
export function isTimeNear({ tokens, at }: UnreadToken, words = 3): boolean {
  for (const token of tokens.slice(at + 1, at + 1 + words)) {
    if (isSign(token, '.!?;')) return false
    if (isTimely(token)) return true
  }
  return false
}

/** The text of a token in lower case; empty if there is none. */
export const lowerCased = (token: Token | undefined): string => token?.text.toLowerCase() ?? ''

/** Whether only signs, “and”, or a word such as “sharp” are between a clause and this word. */
export function isBehindClause({ tokens, at, isRead }: UnreadToken): boolean {
  let before = at - 1
  while (
    before > at - 4 &&
    !isRead[before] &&
    (isSign(tokens[before], ',;(–—-') ||
      isKind(tokens[before], 'and') ||
      /^(sharp|exactly|pünktlich|genau)$/i.test(tokens[before]?.text ?? ''))
  )
    before--
  return isRead[before] === true
}
