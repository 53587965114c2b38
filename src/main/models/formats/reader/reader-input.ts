import type { KnownTools } from './known-tools.ts'

/**
 * A reading routine over text that is still arriving. It yields when it has read all available text, and is
 * resumed when there is more. It sees only characters and the end, so the result cannot depend on how the
 * text was split into chunks.
 */
export type Reading<T> = Generator<undefined, T, undefined>

/** The result of `code` after the last character of a finished text. */
export const END = -1

/** The function of a mark that only one model writes. */
export type OwnRole = 'open' | 'close' | 'joint'

/** The marks that only one model writes: the role of each, all their prefixes, and their first characters. */
export type OwnMarks = {
  roles: ReadonlyMap<string, OwnRole>
  beginnings: ReadonlySet<string>
  firsts: ReadonlySet<number>
}

/** The text of one message as far as it has arrived, and the reading position in it. */
export class Input {
  /** Index of the next character; moves back when an attempt fails. */
  at = 0
  /** Marks of this model, in addition to the known ones. */
  own: OwnMarks | undefined
  #ended = false
  // An array, because JavaScript copies a string that grows one token at a time whenever it is indexed.
  #codes: Uint16Array
  #length = 0

  constructor(capacity = 4096) {
    this.#codes = new Uint16Array(capacity)
  }

  push(chunk: string): void {
    const length = this.#length + chunk.length
    if (length > this.#codes.length) {
      const codes = new Uint16Array(2 * length)
      codes.set(this.#codes)
      this.#codes = codes
    }
    for (let index = 0; index < chunk.length; index++)
      this.#codes[this.#length + index] = chunk.charCodeAt(index)
    this.#length = length
  }

  end(): void {
    this.#ended = true
  }

  /** Whether `code()` cannot be answered yet. Reading routines yield while this is true. */
  get empty(): boolean {
    return this.at >= this.#length && !this.#ended
  }

  /** Whether the next `count` characters have neither arrived nor been ruled out by the end. */
  lacks(count: number): boolean {
    return this.at + count > this.#length && !this.#ended
  }

  /** The UTF-16 code `offset` characters ahead, or `END`. */
  code(offset = 0): number {
    const index = this.at + offset
    if (index >= this.#length && !this.#ended) throw new Error('A character was asked for before it arrived.')
    return index < this.#length ? this.#codes[index]! : END
  }

  slice(from: number, end = this.at): string {
    const to = Math.min(end, this.#length)
    let text = ''
    // Most slices are a word or a blank. For those a view on the array costs more than it saves.
    if (to - from < 16) {
      for (let index = from; index < to; index++) text += String.fromCharCode(this.#codes[index]!)
      return text
    }
    for (let start = from; start < to; start += 8192)
      text += String.fromCharCode.apply(
        null,
        this.#codes.subarray(start, Math.min(start + 8192, to)) as unknown as number[],
      )
    return text
  }
}

/** Read a complete text. */
export function readWhole<T>(text: string, read: (input: Input) => Reading<T>): T {
  const input = new Input(text.length)
  input.push(text)
  input.end()
  const reading = read(input)
  for (;;) {
    const step = reading.next()
    if (step.done) return step.value
  }
}

export function* skipSpace(input: Input): Reading<void> {
  for (;;) {
    while (input.empty) yield
    if (!isSpace(input.code())) return
    input.at++
  }
}

/** Skip blanks and tabs, but stay on the line. */
export function* skipBlanks(input: Input): Reading<void> {
  for (;;) {
    while (input.empty) yield
    const code = input.code()
    if (code !== BLANK && code !== TAB) return
    input.at++
  }
}

/** Whether `text` comes next. Waits only while the characters so far match. */
export function* textComesNext(input: Input, text: string): Reading<boolean> {
  for (let index = 0; index < text.length; index++) {
    while (input.lacks(index + 1)) yield
    if (input.code(index) !== text.charCodeAt(index)) return false
  }
  return true
}

/** Skip `text` if it comes next. */
export function* skipText(input: Input, text: string): Reading<boolean> {
  const seen = yield* textComesNext(input, text)
  if (seen) input.at += text.length
  return seen
}

/**
 * Why something could not be read, as text for the model. `cut`: the text ended inside it. `quotes`: its
 * quotes do not pair up, so its end is unknown.
 */
export class Unreadable {
  readonly reason: string
  readonly kind: 'cut' | 'quotes' | 'other'
  constructor(reason: string, kind: 'cut' | 'quotes' | 'other' = 'other') {
    this.reason = reason
    this.kind = kind
  }
}

/** The state shared by all reading routines. */
export type Context = {
  input: Input
  tools: KnownTools
  /** Whether the text ended because the model ran out of tokens; known once the input ends. */
  truncated: boolean
  /** Characters that were read by failed attempts. */
  wasted: number
}

/** Abandon an attempt: continue from `from` as if nothing had been read. */
export function rewindInput(context: Context, from: number): void {
  context.wasted += context.input.at - from
  context.input.at = from
}

/**
 * Whether another attempt is affordable. Hostile text can make every attempt read far and fail. The cost of
 * attempts is limited by the text read so far, so the total stays linear.
 */
export function canAffordAttempt(context: Context): boolean {
  return context.wasted <= 2 * context.input.at + 10_000
}

/** UTF-16 codes of the characters used in notations. */
export const TAB = 0x09
export const LF = 0x0a
export const CR = 0x0d
export const BLANK = 0x20
export const HASH = 0x23
export const LEFT_PAREN = 0x28
export const RIGHT_PAREN = 0x29
export const STAR = 0x2a
export const COMMA = 0x2c
export const SLASH = 0x2f
export const COLON = 0x3a
export const SEMICOLON = 0x3b
export const LESS = 0x3c
export const EQUALS = 0x3d
export const GREATER = 0x3e
export const LEFT_BRACKET = 0x5b
export const BACKSLASH = 0x5c
export const RIGHT_BRACKET = 0x5d
export const BACKTICK = 0x60
export const LEFT_BRACE = 0x7b
export const RIGHT_BRACE = 0x7d
export const TILDE = 0x7e

const spaces = new Set('\t\n\v\f\r \u00a0\u3000\ufeff')

/** Whether a character is white space, including East Asian and non-breaking spaces. */
export function isSpace(code: number): boolean {
  return code <= BLANK ? code === BLANK || (code >= TAB && code <= CR) : spaces.has(String.fromCharCode(code))
}
