import { MARK, Unparsed } from './shell-types.ts'

/** A place in a text; reading moves `at` forward and never back. */
export type Scanner = { text: string; at: number }

/** A word as it was read: characters with a meaning are marked, and values are filled in where they are known. */
export type RawWord = {
  marked: string
  /** False as soon as a value had to be filled in. */
  literal: boolean
  /** How much of `marked` was read before the first quote, escape or expansion. */
  bare: number
  /** Whether it holds quotation marks, so that it stays an argument even when it is empty. */
  quotes: boolean
  /** Whether one of several values was filled in, each of which may be the real one. */
  choice: boolean
  runs: string[]
}

/** What the reader of words needs from the parser of commands. */
export type Expansions = {
  values(name: string): readonly string[] | undefined
  assign(name: string, value: string): void
  home(user: string): string
  /** Parse the commands after `$(`, up to and with the closing parenthesis; returns what they print, if known. */
  commands(scanner: Scanner): { prints: string | undefined; names: readonly string[] }
  /** Parse a separate text, such as the inside of backticks. */
  script(text: string): { prints: string | undefined; names: readonly string[] }
  /** Go one level deeper; refuses when that happens too often. */
  nested<T>(work: () => T): T
  /** Account for text that expansion makes; refuses when it becomes too much. */
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

/** Read one word; an empty `marked` with `bare` 0 means that there was none. */
export function readWord(scanner: Scanner, expansions: Expansions): RawWord {
  const word: RawWord = { marked: '', literal: true, bare: -1, quotes: false, choice: false, runs: [] }
  const { text } = scanner
  const quoted = () => {
    if (word.bare < 0) word.bare = word.marked.length
  }
  for (let c = text[scanner.at]; c !== undefined && !BREAKS.has(c); c = text[scanner.at]) {
    if (c === '\\') {
      const next = text[scanner.at + 1]
      scanner.at += 2
      if (next === '\n') continue
      quoted()
      word.marked += next ?? '\\'
    } else if (c === "'") {
      quoted()
      word.quotes = true
      word.marked += singleQuoted(scanner)
    } else if (c === '"') {
      quoted()
      word.quotes = true
      scanner.at++
      doubleQuoted(scanner, word, expansions, '"')
    } else if (c === '$' || c === '`') {
      quoted()
      expand(scanner, word, expansions, false)
    } else if (c === '~' && word.bare < 0 && (word.marked === '' || /^\w{1,60}=$/.test(word.marked))) {
      quoted()
      const user = /^[\w.+-]*/.exec(text.slice(scanner.at + 1, scanner.at + 65))![0]
      word.literal = false
      word.marked += expansions.home(user)
      scanner.at += 1 + user.length
    } else {
      word.marked += MARKS[c] ?? c
      scanner.at++
    }
  }
  if (word.bare < 0) word.bare = word.marked.length
  return word
}

function singleQuoted(scanner: Scanner): string {
  const end = scanner.text.indexOf("'", scanner.at + 1)
  if (end < 0) throw new Unparsed('a quotation mark is not closed')
  const inside = scanner.text.slice(scanner.at + 1, end)
  scanner.at = end + 1
  return inside
}

/** Read up to the closing mark, or to the end of the text when there is none to come (a here-document, arithmetic). */
function doubleQuoted(scanner: Scanner, word: RawWord, expansions: Expansions, close: '"' | ''): void {
  const { text } = scanner
  for (;;) {
    const c = text[scanner.at]
    if (c === undefined) {
      if (close === '') return
      throw new Unparsed('a quotation mark is not closed')
    }
    if (c === close) {
      scanner.at++
      return
    }
    if (c === '\\') {
      const next = text[scanner.at + 1]
      if (next === '\n') scanner.at += 2
      else if (next !== undefined && '$`"\\'.includes(next)) {
        word.marked += next
        scanner.at += 2
      } else {
        word.marked += c
        scanner.at++
      }
    } else if (c === '$' || c === '`') expand(scanner, word, expansions, true)
    else {
      word.marked += c
      scanner.at++
    }
  }
}

/** Read what starts with a dollar sign or a backtick, and put its value, or a mark for it, into the word. */
function expand(scanner: Scanner, word: RawWord, expansions: Expansions, quoted: boolean): void {
  const { text } = scanner
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
    put(run.prints === undefined ? undefined : [run.prints.replace(/\n+$/, '')])
  }
  if (text[scanner.at] === '`') return putOutput(expansions.script(backticked(scanner)))
  const next = text[scanner.at + 1] ?? ''
  if (next === '(') {
    const end = text[scanner.at + 2] === '(' ? arithmeticEnd(text, scanner.at + 3) : -1
    if (end < 0) {
      scanner.at += 2
      return putOutput(expansions.commands(scanner))
    }
    scanInside(text.slice(scanner.at + 3, end), word.runs, expansions)
    scanner.at = end + 2
    return put([MARK.some])
  }
  if (next === '{') {
    scanner.at += 2
    return put(expansions.nested(() => parameter(scanner, word, expansions)))
  }
  if (next === "'" && !quoted) {
    scanner.at++
    word.marked += ansiQuoted(scanner)
    return
  }
  if (next === '"' && !quoted) {
    scanner.at += 2
    return doubleQuoted(scanner, word, expansions, '"')
  }
  const name = /^(?:[A-Za-z_]\w*|[0-9@*#?$!-])/.exec(text.slice(scanner.at + 1, scanner.at + 101))?.[0]
  if (text.startsWith('\\\n', scanner.at + 1 + (name?.length ?? 0))) {
    throw new Unparsed('a name runs over two lines')
  }
  if (name === undefined) {
    word.marked += '$'
    scanner.at++
    return
  }
  scanner.at += 1 + name.length
  // Braces are spread before variables are filled in, so that `$X{a,b}` means `$Xa $Xb`.
  if (!quoted && text[scanner.at] === '{' && /^\w/.test(name)) {
    throw new Unparsed('a variable runs into a brace list')
  }
  put(/^[#?$!-]$/.test(name) ? [MARK.some] : expansions.values(name))
}

/** Where the `))` of an arithmetic expression stands, or -1 when the parentheses belong to subshells. */
export function arithmeticEnd(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    if (text[at] === '(') depth++
    else if (text[at] === ')' && depth > 0) depth--
    else if (text[at] === ')') return text[at + 1] === ')' ? at : -1
  }
  return -1
}

/** Find the commands inside arithmetic or a here-document, where only expansions count; returns the text. */
export function scanInside(inside: string, runs: string[], expansions: Expansions): string {
  const word: RawWord = { marked: '', literal: true, bare: 0, quotes: true, choice: false, runs }
  expansions.nested(() => doubleQuoted({ text: inside, at: 0 }, word, expansions, ''))
  return word.marked
}

function backticked(scanner: Scanner): string {
  const { text } = scanner
  let inside = ''
  for (let at = scanner.at + 1; at < text.length; at++) {
    if (text[at] === '`') {
      scanner.at = at + 1
      return inside
    }
    if (text[at] === '\\' && '`$\\'.includes(text[at + 1] ?? ' ')) at++
    inside += text[at] ?? ''
  }
  throw new Unparsed('a backtick is not closed')
}

/** Read `${...}` after its opening brace. */
function parameter(scanner: Scanner, word: RawWord, expansions: Expansions): readonly string[] | undefined {
  const { text } = scanner
  const head = /^([!#]?)([A-Za-z_]\w*|[0-9@*?$#-])(\[[^\]]{0,40}\])?/.exec(
    text.slice(scanner.at, scanner.at + 150),
  )
  if (!head) throw new Unparsed('a parameter expansion is not understood')
  scanner.at += head[0].length
  const rest = untilBrace(scanner, word, expansions)
  const [, sign, name] = head as unknown as [string, string, string]
  if (sign === '#') return [MARK.some]
  if (sign === '!') return undefined
  const known = expansions.values(name)
  const operator = /^(:?[-=?+]|:|[#%/^,@])?/.exec(rest)![0]
  const given = unmark(rest.slice(operator.length))
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
    default:
      return undefined
  }
}

function substrings(values: readonly string[], range: string): string[] | undefined {
  const numbers = /^\s*(\d{1,6})(?::(\d{1,6}))?$/.exec(range)
  if (!numbers) return undefined
  const from = Number(numbers[1])
  return values.map(value =>
    value.slice(from, numbers[2] === undefined ? undefined : from + Number(numbers[2])),
  )
}

function untilBrace(scanner: Scanner, word: RawWord, expansions: Expansions): string {
  const { text } = scanner
  const inside: RawWord = { marked: '', literal: true, bare: 0, quotes: true, choice: false, runs: word.runs }
  for (let c = text[scanner.at]; c !== undefined; c = text[scanner.at]) {
    if (c === '}') {
      scanner.at++
      return inside.marked
    }
    if (c === '\\') {
      inside.marked += text[scanner.at + 1] ?? ''
      scanner.at += 2
    } else if (c === "'") inside.marked += singleQuoted(scanner)
    else if (c === '"') {
      scanner.at++
      doubleQuoted(scanner, inside, expansions, '"')
    } else if (c === '$' || c === '`') expand(scanner, inside, expansions, true)
    else {
      inside.marked += c
      scanner.at++
    }
  }
  throw new Unparsed('a brace is not closed')
}

function ansiQuoted(scanner: Scanner): string {
  const { text } = scanner
  let end = scanner.at + 1
  while (end < text.length && text[end] !== "'") end += text[end] === '\\' ? 2 : 1
  if (end >= text.length) throw new Unparsed('a quotation mark is not closed')
  const inside = decodeEscapes(text.slice(scanner.at + 1, end))
  scanner.at = end + 1
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

/** Decode backslash escapes as `$'...'`, `echo -e` and `printf` do. */
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

/** Unquoted values are split at white space, and their wildcards count. */
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

/** Turn marked characters back into themselves; what is unknown stays marked. */
export const unmark = (marked: string) => marked.replace(/[\uE002-\uE008]/g, c => UNMARKED[c]!)
