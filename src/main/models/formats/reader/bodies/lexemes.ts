import {
  isSpace,
  END,
  type Input,
  type Reading,
  BACKSLASH,
  textComesNext,
  Unreadable,
  HASH,
  LF,
  SLASH,
  STAR,
} from '../reader-input.ts'

const ENDS_NAME = new Set(Array.from('<>()[]{}"\'`,;=|#“”', letter => letter.charCodeAt(0)))
const LONGEST = 128

/** Read the name of a tool or a parameter. The text may be neither, or empty. */
export function* readName(input: Input): Reading<string> {
  const from = input.at
  while (input.at - from < LONGEST) {
    while (input.empty) yield
    const code = input.code()
    if (code === END || isSpace(code) || ENDS_NAME.has(code)) break
    input.at++
  }
  while (input.empty) yield
  return input.slice(from)
}

/** Read a name while its letters still match a known one. */
export function* readKnownName(
  input: Input,
  mayBecome: (letters: string) => boolean,
): Reading<string | undefined> {
  const from = input.at
  for (;;) {
    while (input.empty) yield
    const code = input.code()
    if (code === END || isSpace(code) || ENDS_NAME.has(code)) return input.slice(from)
    input.at++
    if (!mayBecome(input.slice(from))) return undefined
  }
}

const CLOSERS: Record<string, string> = { '"': '"', "'": "'", '“': '”', '‘': '’', '„': '“' }
const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '/': '/', '\\': '\\' }

export function isQuote(code: number): boolean {
  return String.fromCharCode(code) in CLOSERS
}

/**
 * Read a string in any of the usual quotes, including triple quotes. Raw line feeds are kept, and so is the
 * backslash of an unknown escape, because models write regular expressions with a single backslash. With
 * `raw`, as in Python's `r'…'`, every backslash is kept.
 */
export function* readString(input: Input, raw = false): Reading<string | Unreadable> {
  const open = String.fromCharCode(input.code())
  const triple = (open === '"' || open === "'") && (yield* textComesNext(input, open.repeat(3)))
  const close = triple ? open.repeat(3) : CLOSERS[open]!
  const closeCode = close.charCodeAt(0)
  input.at += close.length
  let text = ''
  let from = input.at
  for (;;) {
    while (input.empty) yield
    const code = input.code()
    if (code === END) return new Unreadable('a text was cut off', 'cut')
    if (code === closeCode && (close.length === 1 || (yield* textComesNext(input, close)))) break
    if (code !== BACKSLASH) {
      input.at++
      continue
    }
    text += input.slice(from)
    const escape = yield* readEscape(input, open, raw)
    if (escape instanceof Unreadable) return escape
    text += escape
    from = input.at
  }
  text += input.slice(from)
  input.at += close.length
  return text
}

function* readEscape(input: Input, open: string, raw: boolean): Reading<string | Unreadable> {
  while (input.lacks(2)) yield
  if (input.code(1) === END) return new Unreadable('a text was cut off', 'cut')
  const letter = String.fromCharCode(input.code(1))
  const hex = raw ? 0 : letter === 'u' ? 4 : letter === 'x' ? 2 : 0
  for (let offset = 2; offset < 2 + hex; offset++) while (input.lacks(offset + 1)) yield
  const digits = input.slice(input.at + 2, input.at + 2 + hex)
  if (hex > 0 && digits.length === hex && /^[\da-f]+$/i.test(digits)) {
    input.at += 2 + hex
    return String.fromCharCode(Number.parseInt(digits, 16))
  }
  input.at += 2
  if (raw) return `\\${letter}`
  if (letter === '"' || letter === "'" || letter === open) return letter
  return ESCAPES[letter] ?? `\\${letter}`
}

/** Skip white space and comments. A block comment that does not close soon is not skipped. */
export function* skipComments(input: Input): Reading<void> {
  for (;;) {
    while (input.empty) yield
    const code = input.code()
    if (isSpace(code)) input.at++
    else if (code === HASH || (code === SLASH && (yield* textComesNext(input, '//')))) yield* skipLine(input)
    else if (code !== SLASH || !(yield* textComesNext(input, '/*')) || !(yield* skipBlock(input))) return
  }
}

function* skipLine(input: Input): Reading<void> {
  for (;;) {
    while (input.empty) yield
    const code = input.code()
    if (code === END || code === LF) return
    input.at++
  }
}

function* skipBlock(input: Input): Reading<boolean> {
  const from = input.at
  while (input.at - from < 500) {
    while (input.lacks(1)) yield
    if (input.code() === END) break
    if (input.code() === STAR && (yield* textComesNext(input, '*/'))) {
      input.at += 2
      return true
    }
    input.at++
  }
  input.at = from
  return false
}
