import { changeValue } from './parameter-values.ts'
import { MARK, Unparsed } from '../shell-types.ts'

/** A position in a text; `at` only moves forward. */
export type TextCursor = { text: string; at: number }

/** A word after reading: special characters are marked, and known values are filled in. */
export type RawWord = {
  marked: string
  /** False if a value was filled in. */
  literal: boolean
  /** Length of `marked` before the first quote, escape or expansion. */
  bare: number
  /** Whether it contains quotes, so that it is an argument even if it is empty. */
  quotes: boolean
  /** Whether one of several possible values was filled in. */
  choice: boolean
  runs: string[]
}

/** Callbacks into the command parser that reading a word needs. */
export type Expansions = {
  values(name: string): readonly string[] | undefined
  assign(name: string, value: string): void
  home(user: string): string
  /** Parse the commands after `$(` up to the closing parenthesis. Returns their output if known. */
  commands(cursor: TextCursor): { prints: string | undefined; names: readonly string[] }
  /** Parse a separate text, such as the inside of backticks. */
  script(text: string): { prints: string | undefined; names: readonly string[] }
  /** Enter one more level of nesting; throws `Unparsed` beyond the limit. */
  nested<T>(work: () => T): T
  /** Account for text created by expansion; throws `Unparsed` beyond the limit. */
  spend(characters: number): void
}

const BREAKS = new Set([' ', '\t', '\n', ';', '&', '|', '<', '>', '(', ')'])
const MARKS: Record<string, string> = {
  '*': MARK.star,
  '?': MARK.any,
  '[': MARK.bracket,
  '{': MARK.open,
  ',': MARK.comma,
  '}': MARK.close,
}

const TILDE_IN_BRACES = 'a tilde stands beside a brace list'

/** Read one word. An empty `marked` and `bare` 0 mean that there was none. */
export function readWord(cursor: TextCursor, expansions: Expansions): RawWord {
  const word: RawWord = { marked: '', literal: true, bare: -1, quotes: false, choice: false, runs: [] }
  const { text } = cursor
  const quoted = () => {
    if (word.bare < 0) word.bare = word.marked.length
  }
  for (let c = text[cursor.at]; c !== undefined && !BREAKS.has(c); c = text[cursor.at]) {
    if (c === '\\') {
      const next = text[cursor.at + 1]
      cursor.at += 2
      if (next === '\n') continue
      quoted()
      word.marked += next ?? '\\'
    } else if (c === "'") {
      quoted()
      word.quotes = true
      word.marked += singleQuoted(cursor)
    } else if (c === '"') {
      quoted()
      word.quotes = true
      cursor.at++
      doubleQuoted(cursor, word, expansions, '"')
    } else if (c === '$' || c === '`') {
      quoted()
      expand(cursor, word, expansions, false)
    } else if (c === '~' && word.bare < 0 && (word.marked === '' || /^\w{1,60}=$/.test(word.marked))) {
      quoted()
      const user = /^[\w.+-]*/.exec(text.slice(cursor.at + 1, cursor.at + 65))![0]
      // The shell expands braces before tildes: `~{a,b}` means `~a ~b`, and `{a,~/b}` means `a ~/b`.
      if (text[cursor.at + 1 + user.length] === '{') throw new Unparsed(TILDE_IN_BRACES)
      word.literal = false
      word.marked += expansions.home(user)
      cursor.at += 1 + user.length
    } else if (c === '~' && word.marked.includes(MARK.open)) throw new Unparsed(TILDE_IN_BRACES)
    else {
      word.marked += MARKS[c] ?? c
      cursor.at++
    }
  }
  if (word.bare < 0) word.bare = word.marked.length
  return word
}

function singleQuoted(cursor: TextCursor): string {
  const end = cursor.text.indexOf("'", cursor.at + 1)
  if (end < 0) throw new Unparsed('a quotation mark is not closed')
  const inside = cursor.text.slice(cursor.at + 1, end)
  cursor.at = end + 1
  return inside
}

/** Read up to the closing quote, or to the end of the text if none is expected. */
function doubleQuoted(cursor: TextCursor, word: RawWord, expansions: Expansions, close: '"' | ''): void {
  const { text } = cursor
  for (;;) {
    const c = text[cursor.at]
    if (c === undefined) {
      if (close === '') return
      throw new Unparsed('a quotation mark is not closed')
    }
    if (c === close) {
      cursor.at++
      return
    }
    if (c === '\\') {
      const next = text[cursor.at + 1]
      if (next === '\n') cursor.at += 2
      else if (next !== undefined && '$`"\\'.includes(next)) {
        word.marked += next
        cursor.at += 2
      } else {
        word.marked += c
        cursor.at++
      }
    } else if (c === '$' || c === '`') expand(cursor, word, expansions, true)
    else {
      word.marked += c
      cursor.at++
    }
  }
}

/** Read an expansion after a dollar sign or backtick, and append its value or a mark to the word. */
function expand(cursor: TextCursor, word: RawWord, expansions: Expansions, quoted: boolean): void {
  const { text } = cursor
  const put = (values: readonly string[] | undefined) => {
    word.literal = false
    word.choice ||= (values?.length ?? 0) > 1
    const shown = (values ?? [MARK.maybe]).map(value => (quoted ? value : markUnquoted(value)))
    const all = shown.length === 1 ? shown[0]! : MARK.open + shown.join(MARK.comma) + MARK.close
    expansions.spend(all.length)
    word.marked += all
  }
  const putOutput = (run: { prints: string | undefined; names: readonly string[] }) => {
    word.runs.push(...run.names)
    put(run.prints === undefined ? undefined : [run.prints.replace(/(?<!\n)\n+$/, '')])
  }
  if (text[cursor.at] === '`') return putOutput(expansions.script(backticked(cursor)))
  const next = text[cursor.at + 1] ?? ''
  if (next === '(') {
    const end = text[cursor.at + 2] === '(' ? arithmeticEnd(text, cursor.at + 3) : -1
    if (end < 0) {
      cursor.at += 2
      return putOutput(expansions.commands(cursor))
    }
    expandText(text.slice(cursor.at + 3, end), word.runs, expansions)
    cursor.at = end + 2
    return put([MARK.some])
  }
  if (next === '{') {
    cursor.at += 2
    return put(expansions.nested(() => parameter(cursor, word, expansions)))
  }
  if (next === "'" && !quoted) {
    cursor.at++
    word.marked += ansiQuoted(cursor)
    return
  }
  if (next === '"' && !quoted) {
    cursor.at += 2
    return doubleQuoted(cursor, word, expansions, '"')
  }
  const name = /^(?:[A-Za-z_]\w*|[0-9@*#?$!-])/.exec(text.slice(cursor.at + 1, cursor.at + 101))?.[0]
  if (text.startsWith('\\\n', cursor.at + 1 + (name?.length ?? 0))) {
    throw new Unparsed('a name runs over two lines')
  }
  if (name === undefined) {
    word.marked += '$'
    cursor.at++
    return
  }
  cursor.at += 1 + name.length
  // Brace expansion happens before variables are filled in, so `$X{a,b}` means `$Xa $Xb`.
  if (!quoted && text[cursor.at] === '{' && /^\w/.test(name)) {
    throw new Unparsed('a variable runs into a brace list')
  }
  put(/^[#?$!-]$/.test(name) ? [MARK.some] : expansions.values(name))
}

/** Position of the `))` that ends an arithmetic expression; -1 if the parentheses are subshells. */
export function arithmeticEnd(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    if (text[at] === '(') depth++
    else if (text[at] === ')' && depth > 0) depth--
    else if (text[at] === ')') return text[at + 1] === ')' ? at : -1
  }
  return -1
}

/** Expand arithmetic or a here-document, where only expansions are special. Returns the text. */
export function expandText(inside: string, runs: string[], expansions: Expansions): string {
  const word: RawWord = { marked: '', literal: true, bare: 0, quotes: true, choice: false, runs }
  expansions.nested(() => doubleQuoted({ text: inside, at: 0 }, word, expansions, ''))
  return word.marked
}

function backticked(cursor: TextCursor): string {
  const { text } = cursor
  let inside = ''
  for (let at = cursor.at + 1; at < text.length; at++) {
    if (text[at] === '`') {
      cursor.at = at + 1
      return inside
    }
    if (text[at] === '\\' && '`$\\'.includes(text[at + 1] ?? ' ')) at++
    inside += text[at] ?? ''
  }
  throw new Unparsed('a backtick is not closed')
}

/** Read `${...}` after its opening brace. */
function parameter(cursor: TextCursor, word: RawWord, expansions: Expansions): readonly string[] | undefined {
  const { text } = cursor
  const head = /^([!#]?)([A-Za-z_]\w*|[0-9@*?$#-])(\[[^\]]{0,40}\])?/.exec(
    text.slice(cursor.at, cursor.at + 150),
  )
  if (!head) throw new Unparsed('a parameter expansion is not understood')
  cursor.at += head[0].length
  const rest = untilBrace(cursor, word, expansions)
  const [, sign, name] = head as unknown as [string, string, string]
  if (sign === '#') return [MARK.some]
  const direct = expansions.values(name)
  const known = sign === '!' ? direct?.flatMap(value => expansions.values(value) ?? []) : direct
  if (sign === '!' && (known?.length ?? 0) === 0) return undefined
  const operator = /^(:?[-=?+]|:|[#%/^,@])?/.exec(rest)![0]
  const given = withoutMarks(rest.slice(operator.length))
  switch (operator) {
    case '':
      return known
    case ':-':
    case '-':
      return known ?? [MARK.some, given]
    case ':=':
    case '=':
      expansions.assign(name, given)
      return known ?? [MARK.some, given]
    case ':?':
    case '?':
      return known ?? [MARK.some]
    case ':+':
    case '+':
      return ['', given]
    case ':':
      return known && substrings(known, given)
    default: {
      const changed = known?.map(value => changeValue(value, operator, given))
      return changed?.every(value => value !== undefined) ? changed : undefined
    }
  }
}

function substrings(values: readonly string[], range: string): string[] | undefined {
  const numbers = /^\s*(\d{0,6})(?::\s*(\d{1,6}))?$/.exec(range)
  if (!numbers) return undefined
  const from = Number(numbers[1])
  return values.map(value =>
    value.slice(from, numbers[2] === undefined ? undefined : from + Number(numbers[2])),
  )
}

function untilBrace(cursor: TextCursor, word: RawWord, expansions: Expansions): string {
  const { text } = cursor
  const inside: RawWord = { marked: '', literal: true, bare: 0, quotes: true, choice: false, runs: word.runs }
  for (let c = text[cursor.at]; c !== undefined; c = text[cursor.at]) {
    if (c === '}') {
      cursor.at++
      return inside.marked
    }
    if (c === '\\') {
      inside.marked += text[cursor.at + 1] ?? ''
      cursor.at += 2
    } else if (c === "'") inside.marked += singleQuoted(cursor)
    else if (c === '"') {
      cursor.at++
      doubleQuoted(cursor, inside, expansions, '"')
    } else if (c === '$' || c === '`') expand(cursor, inside, expansions, true)
    else {
      inside.marked += c
      cursor.at++
    }
  }
  throw new Unparsed('a brace is not closed')
}

function ansiQuoted(cursor: TextCursor): string {
  const { text } = cursor
  let end = cursor.at + 1
  while (end < text.length && text[end] !== "'") end += text[end] === '\\' ? 2 : 1
  if (end >= text.length) throw new Unparsed('a quotation mark is not closed')
  const inside = decodeEscapes(text.slice(cursor.at + 1, end))
  cursor.at = end + 1
  return inside
}

const ESCAPES: Record<string, string> = {
  a: '\u0007',
  b: '\b',
  e: '\u001B',
  E: '\u001B',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}

/** Decode backslash escapes as in `$'...'`, `echo -e` and `printf`. */
export function decodeEscapes(text: string): string {
  return text.replace(
    /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,4})|([\s\S]))/g,
    (_all, hex?: string, short?: string, long?: string, octal?: string, other?: string) => {
      const code = hex ?? short ?? long
      if (code !== undefined) return codePoint(Number.parseInt(code, 16))
      if (octal !== undefined) return codePoint(Number.parseInt(octal, 8) & 0xff)
      return ESCAPES[other!] ?? other!
    },
  )
}

const codePoint = (code: number) => (code > 0x10ffff ? '' : String.fromCodePoint(code))

/** Mark an unquoted value, which is split at white space and whose wildcards apply. */
const markUnquoted = (value: string) =>
  value.replace(/[ \t\n]+/g, MARK.split).replace(/[*?[]/g, c => MARKS[c]!)

const UNMARKED: Record<string, string> = {
  [MARK.star]: '*',
  [MARK.any]: '?',
  [MARK.bracket]: '[',
  [MARK.open]: '{',
  [MARK.comma]: ',',
  [MARK.close]: '}',
  [MARK.split]: ' ',
}

/** Turn marks back into characters; unknown parts stay marked. */
export const withoutMarks = (marked: string) => marked.replace(/[\uE002-\uE008]/g, c => UNMARKED[c]!)
