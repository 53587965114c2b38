import {
  COLON,
  COMMA,
  isSpace,
  LEFT_BRACE,
  LEFT_BRACKET,
  LESS,
  RIGHT_BRACE,
  RIGHT_BRACKET,
  END,
  type Input,
  type Reading,
  textComesNext,
  Unreadable,
} from '../reader-input.ts'
import { isQuote } from './lexemes.ts'

/** An unquoted value in Gemma's notation, such as `Paris` in `{city:Paris}`. The schema decides its type. */
export class BareText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const DELIMITERS = ['<|"|>', '<escape>']

/** The delimiter that comes next, if any. */
export function* delimiterAt(input: Input): Reading<string | undefined> {
  for (const delimiter of DELIMITERS) if (yield* textComesNext(input, delimiter)) return delimiter
  return undefined
}

/** Text between two Gemma delimiters, in which no character is special. */
export function* readDelimited(input: Input): Reading<string | Unreadable | undefined> {
  const delimiter = yield* delimiterAt(input)
  if (delimiter === undefined) return undefined
  input.at += delimiter.length
  const from = input.at
  for (;;) {
    while (input.empty) yield
    const code = input.code()
    if (code === END) return new Unreadable('a text was cut off', 'cut')
    if (code === LESS && (yield* textComesNext(input, delimiter))) break
    input.at++
  }
  const text = input.slice(from)
  input.at += delimiter.length
  return text
}

/** Whether the message ends within a delimiter that would have started a text. */
export function* endsInDelimiter(input: Input): Reading<boolean> {
  for (const delimiter of DELIMITERS) {
    for (let offset = 0; offset < delimiter.length; offset++) {
      while (input.lacks(offset + 1)) yield
      if (input.code(offset) === END) return true
      if (input.code(offset) !== delimiter.charCodeAt(offset)) break
    }
  }
  return false
}

/** Text up to a closing bracket, or up to a comma followed by a new key or item. */
export function* readBareText(input: Input): Reading<BareText | Unreadable> {
  const from = input.at
  for (;;) {
    while (input.empty) yield
    const code = input.code()
    if (code === END || (code === LESS && (yield* endsInDelimiter(input))))
      return new Unreadable('a value was cut off', 'cut')
    if (
      code === RIGHT_BRACE ||
      code === RIGHT_BRACKET ||
      code === LESS ||
      (code === COMMA && (yield* endsAtComma(input)))
    )
      break
    input.at++
  }
  return new BareText(input.slice(from).trim())
}

function* endsAtComma(input: Input): Reading<boolean> {
  let isBlank = true
  for (let offset = 1; offset < 64; offset++) {
    while (input.lacks(offset + 1)) yield
    const code = input.code(offset)
    if (
      (code === LESS && isBlank) ||
      code === COLON ||
      code === LEFT_BRACE ||
      code === LEFT_BRACKET ||
      code === RIGHT_BRACKET ||
      isQuote(code)
    )
      return true
    if (code === END || code === COMMA || code === RIGHT_BRACE) return code !== RIGHT_BRACE
    isBlank &&= isSpace(code)
  }
  return false
}
