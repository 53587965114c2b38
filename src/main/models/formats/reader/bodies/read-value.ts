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
} from '../characters.ts'
import { END, type Input, type Reading, sees, skipSpace } from '../input.ts'
import { skipComments } from './comments.ts'
import { delimiterAt, readBareText, readDelimited } from './gemma.ts'
import { isQuote, readString } from './strings.ts'
import { setOwn } from '../tools.ts'
import { Trouble } from '../trouble.ts'

/** How to read, and what had to be mended while reading. */
export type ValueOptions = {
  /** Keys may hold blanks, values may be bare text, strings may stand between `<|"|>` or `<escape>`. */
  gemma?: boolean
  /** Brackets were closed because the text ended; nothing in them was cut. */
  closedAtEnd?: boolean
  /** Asked after every key, and every value, of the outermost object; `false` gives the object up. */
  watch?: ((key: string, value?: unknown) => boolean) | undefined
}

const DEEPEST = 100

/** What can only stand behind a value, so that brackets still open there were forgotten. */
const BEHIND = new Set([END, LESS, BACKTICK, RIGHT_BRACKET, RIGHT_BRACE, RIGHT_PAREN])

/**
 * Read one value: JSON as written by careless models. Accepts keys without quotes, single, curly and triple quotes,
 * trailing commas, comments, Python's constants and tuples, raw line feeds, doubled braces, and brackets that were
 * never closed. A string or number that the text cut short is never completed.
 */
export function* readValue(input: Input, options: ValueOptions, depth = 0): Reading<unknown> {
  yield* skipIgnored(input, options)
  const code = input.code()
  if (code === END) return new Trouble('it was cut off', 'cut')
  if (depth > DEEPEST) return new Trouble('it is nested too deeply')
  if (code === LEFT_BRACE) return yield* readObject(input, options, depth)
  if (code === LEFT_BRACKET) return yield* readList(input, options, depth, RIGHT_BRACKET)
  if (code === LEFT_PAREN) return yield* readList(input, options, depth, RIGHT_PAREN)
  if (isQuote(code)) return yield* readString(input)
  if (options.gemma) return (yield* readDelimited(input)) ?? (yield* readBareText(input))
  return yield* readWord(input)
}

function* readObject(input: Input, options: ValueOptions, depth: number): Reading<unknown> {
  input.at++
  // No object starts with an object as its key, so a second brace is one copied from an escaped prompt.
  const doubled = yield* sees(input, '{')
  if (doubled) input.at++
  const object: Record<string, unknown> = {}
  for (;;) {
    const end = yield* closes(input, options, RIGHT_BRACE)
    if (end !== 'no') {
      if (doubled && end === 'yes' && (yield* sees(input, '}'))) input.at++
      return object
    }
    const key = yield* readKey(input, options)
    if (key instanceof Trouble) return key
    const watch = depth === 0 ? options.watch : undefined
    if (watch && !watch(key)) return new Trouble('it is not a call')
    const value = yield* readValue(input, options, depth + 1)
    if (value instanceof Trouble) return value
    if (watch && !watch(key, value)) return new Trouble('it is not a call')
    setOwn(object, key, value)
    const trouble = yield* readComma(input, true, options)
    if (trouble) return trouble
  }
}

function* readList(input: Input, options: ValueOptions, depth: number, closer: number): Reading<unknown> {
  input.at++
  const list: unknown[] = []
  while ((yield* closes(input, options, closer)) === 'no') {
    const value = yield* readValue(input, options, depth + 1)
    if (value instanceof Trouble) return value
    list.push(value)
    const trouble = yield* readComma(input, false, options)
    if (trouble) return trouble
  }
  return list
}

/**
 * Whether the bracket ends here: with its own closer, or, left open, where nothing of the value can follow: at the end,
 * at markup, at a fence, at the closer of a bracket further out.
 */
function* closes(input: Input, options: ValueOptions, closer: number): Reading<'yes' | 'open' | 'no'> {
  yield* skipIgnored(input, options)
  const code = input.code()
  if (code === closer) {
    input.at++
    return 'yes'
  }
  if (code === END) options.closedAtEnd = true
  else if (code === LESS && options.gemma && (yield* delimiterAt(input))) return 'no'
  return BEHIND.has(code) ? 'open' : 'no'
}

/** Between two members: a comma, or a line feed where one was forgotten. A text that ends behind a comma is cut. */
function* readComma(input: Input, inObject: boolean, options: ValueOptions): Reading<Trouble | undefined> {
  const before = input.at
  yield* skipIgnored(input, options)
  const code = input.code()
  if (code === COMMA) {
    input.at++
    yield* skipIgnored(input, options)
    return input.code() === END ? new Trouble('it was cut off', 'cut') : undefined
  }
  if (BEHIND.has(code)) return undefined
  if (inObject && (options.gemma || (isQuote(code) && input.slice(before).includes('\n')))) return undefined
  return new Trouble(`a comma is missing before "${String.fromCharCode(code)}"`, 'quotes')
}

function* readKey(input: Input, options: ValueOptions): Reading<string | Trouble> {
  let key: string | Trouble
  if (isQuote(input.code())) key = yield* readString(input)
  else key = (options.gemma ? yield* readDelimited(input) : undefined) ?? (yield* readBareKey(input, options))
  if (key instanceof Trouble) return key
  yield* skipIgnored(input, options)
  if (input.code() === END) return new Trouble('it was cut off', 'cut')
  if (input.code() !== COLON) return new Trouble(`a colon is missing after "${key.slice(0, 40)}"`, 'quotes')
  input.at++
  return key
}

function* readBareKey(input: Input, options: ValueOptions): Reading<string | Trouble> {
  const from = input.at
  for (;;) {
    while (input.empty) yield
    const code = input.code()
    if (code === END) return new Trouble('it was cut off', 'cut')
    if (code === COLON || (isSpace(code) && !options.gemma)) break
    if (input.at - from > 200 || '{}[](),;"\'<>`'.includes(String.fromCharCode(code)))
      return new Trouble('a key is missing', 'quotes')
    input.at++
  }
  const key = input.slice(from).trim()
  return key === '' ? new Trouble('a key is missing', 'quotes') : key
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

/** A constant or a number. A number that touches the end may have lost digits, a constant cannot have lost letters. */
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
  if (input.code() === END) return new Trouble('it was cut off', 'cut')
  const number = NUMBER.test(word) ? Number(word.replaceAll('_', '')) : Number.NaN
  if (Number.isFinite(number)) return number
  const shown = word || String.fromCharCode(input.code())
  return new Trouble(`"${shown.slice(0, 40)}" is not a value; text needs quotes`)
}

/** Gemma's bare text may begin like a comment, so there only white space is skipped. */
function skipIgnored(input: Input, options: ValueOptions): Reading<void> {
  return options.gemma ? skipSpace(input) : skipComments(input)
}
