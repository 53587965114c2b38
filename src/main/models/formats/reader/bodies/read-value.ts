import {
  BACKTICK,
  COLON,
  COMMA,
  isSpace,
  LEFT_BRACE,
  LEFT_BRACKET,
  LEFT_PAREN,
  LESS,
  RIGHT_BRACE,
  RIGHT_BRACKET,
  RIGHT_PAREN,
  END,
  type Input,
  type Reading,
  textComesNext,
  skipSpace,
  Unreadable,
} from '../reader-input.ts'
import { skipComments, isQuote, readString } from './lexemes.ts'
import { delimiterAt, endsInDelimiter, readBareText, readDelimited } from './gemma-values.ts'
import { setOwnKey } from '../known-tools.ts'

/** How to read, and which repairs were made. */
export type ValueOptions = {
  /** Keys may contain blanks, values may be bare text, and strings may be in `<|"|>` or `<escape>`. */
  gemma?: boolean
  /** Set when brackets were closed because the text ended; nothing inside them was cut off. */
  closedAtEnd?: boolean
  /** Called after every key and value of the outermost object; returning `false` abandons the object. */
  watch?: ((key: string, value?: unknown) => boolean) | undefined
}

const DEEPEST = 100

/** Characters that can only follow a complete value, so brackets that are still open were forgotten. */
const BEHIND = new Set([END, LESS, BACKTICK, RIGHT_BRACKET, RIGHT_BRACE, RIGHT_PAREN])

/**
 * Read one value: JSON as written by careless models. Accepts keys without quotes, single, curly and triple
 * quotes, trailing commas, comments, Python's constants and tuples, raw line feeds, doubled braces, and
 * brackets that were never closed. A string or number that was cut off is never completed.
 */
export function* readValue(input: Input, options: ValueOptions, depth = 0): Reading<unknown> {
  yield* skipIgnored(input, options)
  const code = input.code()
  if (code === END) return new Unreadable('it was cut off', 'cut')
  if (depth > DEEPEST) return new Unreadable('it is nested too deeply')
  if (code === LEFT_BRACE) return yield* readObject(input, options, depth)
  if (code === LEFT_BRACKET) return yield* readList(input, options, depth, RIGHT_BRACKET)
  if (code === LEFT_PAREN) return yield* readList(input, options, depth, RIGHT_PAREN)
  if (isQuote(code)) return yield* readString(input)
  if (options.gemma) return (yield* readDelimited(input)) ?? (yield* readBareText(input))
  return yield* readWord(input)
}

function* readObject(input: Input, options: ValueOptions, depth: number): Reading<unknown> {
  input.at++
  // An object cannot be a key, so a second brace was copied from an escaped prompt.
  const doubled = yield* textComesNext(input, '{')
  if (doubled) input.at++
  const object: Record<string, unknown> = {}
  for (;;) {
    const end = yield* closes(input, options, RIGHT_BRACE)
    if (end !== 'no') {
      if (doubled && end === 'yes' && (yield* textComesNext(input, '}'))) input.at++
      return object
    }
    const key = yield* readKey(input, options)
    if (key instanceof Unreadable) return key
    const watch = depth === 0 ? options.watch : undefined
    if (watch && !watch(key)) return new Unreadable('it is not a call')
    const value = yield* readValue(input, options, depth + 1)
    if (value instanceof Unreadable) return value
    if (watch && !watch(key, value)) return new Unreadable('it is not a call')
    setOwnKey(object, key, value)
    const trouble = yield* readComma(input, true, options)
    if (trouble) return trouble
  }
}

function* readList(input: Input, options: ValueOptions, depth: number, closer: number): Reading<unknown> {
  input.at++
  const list: unknown[] = []
  while ((yield* closes(input, options, closer)) === 'no') {
    const value = yield* readValue(input, options, depth + 1)
    if (value instanceof Unreadable) return value
    list.push(value)
    const trouble = yield* readComma(input, false, options)
    if (trouble) return trouble
  }
  return list
}

/**
 * Whether the bracket ends here, with its own closer or unclosed. It is unclosed if no part of the value can
 * follow: at the end, at markup, at a fence, or at the closer of an outer bracket.
 */
function* closes(input: Input, options: ValueOptions, closer: number): Reading<'yes' | 'open' | 'no'> {
  yield* skipIgnored(input, options)
  const code = input.code()
  if (code === closer) {
    input.at++
    return 'yes'
  }
  if (code === LESS && options.gemma && (yield* delimiterAt(input))) return 'no'
  if (code === END || (code === LESS && options.gemma && (yield* endsInDelimiter(input))))
    options.closedAtEnd = true
  return BEHIND.has(code) ? 'open' : 'no'
}

/**
 * Read the separator of two members: a comma, or a line feed if the comma was forgotten. A text that ends
 * after a comma is cut off.
 */
function* readComma(input: Input, inObject: boolean, options: ValueOptions): Reading<Unreadable | undefined> {
  const before = input.at
  yield* skipIgnored(input, options)
  const code = input.code()
  if (code === COMMA) {
    input.at++
    yield* skipIgnored(input, options)
    return input.code() === END ? new Unreadable('it was cut off', 'cut') : undefined
  }
  if (BEHIND.has(code)) return undefined
  if (inObject && (options.gemma || (isQuote(code) && input.slice(before).includes('\n')))) return undefined
  return new Unreadable(`a comma is missing before "${String.fromCharCode(code)}"`, 'quotes')
}

function* readKey(input: Input, options: ValueOptions): Reading<string | Unreadable> {
  let key: string | Unreadable
  if (isQuote(input.code())) key = yield* readString(input)
  else key = (options.gemma ? yield* readDelimited(input) : undefined) ?? (yield* readBareKey(input, options))
  if (key instanceof Unreadable) return key
  yield* skipIgnored(input, options)
  if (input.code() === END) return new Unreadable('it was cut off', 'cut')
  if (input.code() !== COLON)
    return new Unreadable(`a colon is missing after "${key.slice(0, 40)}"`, 'quotes')
  input.at++
  return key
}

function* readBareKey(input: Input, options: ValueOptions): Reading<string | Unreadable> {
  const from = input.at
  for (;;) {
    while (input.empty) yield
    const code = input.code()
    if (code === END) return new Unreadable('it was cut off', 'cut')
    if (code === COLON || (isSpace(code) && !options.gemma)) break
    if (input.at - from > 200 || '{}[](),;"\'<>`'.includes(String.fromCharCode(code)))
      return new Unreadable('a key is missing', 'quotes')
    input.at++
  }
  const key = input.slice(from).trim()
  return key === '' ? new Unreadable('a key is missing', 'quotes') : key
}

const CONSTANTS: Record<string, unknown> = {
  true: true,
  false: false,
  null: null,
  True: true,
  False: false,
  None: null,
  undefined: null,
  NaN: null,
}
const NUMBER = /^[+-]?(\d[\d_]*(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/

/** Read a constant or a number. A number at the very end may have lost digits. */
function* readWord(input: Input): Reading<unknown> {
  const from = input.at
  for (;;) {
    while (input.empty) yield
    const code = input.code()
    if (code === END || isSpace(code) || ',;:{}[]()"\'<`#/='.includes(String.fromCharCode(code))) break
    if (input.at - from > 400) break
    input.at++
  }
  const word = input.slice(from)
  if (Object.hasOwn(CONSTANTS, word)) return CONSTANTS[word]
  if (input.code() === END) return new Unreadable('it was cut off', 'cut')
  const number = NUMBER.test(word) ? Number(word.replaceAll('_', '')) : Number.NaN
  if (Number.isFinite(number)) return number
  const shown = word || String.fromCharCode(input.code())
  return new Unreadable(`"${shown.slice(0, 40)}" is not a value; text needs quotes`)
}

/** Gemma's bare text may start like a comment, so skip only white space there. */
function skipIgnored(input: Input, options: ValueOptions): Reading<void> {
  return options.gemma ? skipSpace(input) : skipComments(input)
}
