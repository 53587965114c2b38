import {
  charPart,
  PatternProblem,
  nextChar,
  takeChar,
  takeMatch,
  type Branches,
  type Cursor,
  type Part,
} from './pattern-parts.ts'
import { readEscape, referenceTo } from './read-escape.ts'
import { readSet } from './read-set.ts'

const MOST_NESTED = 100

/** The names of groups in other dialects, and what to write instead. */
const UNKNOWN_GROUPS: readonly [RegExp, string][] = [
  [/\?(?:R|[+-]?\d+|&[^)]*|P>[^)]*)\)/y, 'calls a group again (recursion); write the group out'],
  [/\?\(/y, 'depends on whether a group has matched; write both cases with |'],
  [/\?\|/y, 'numbers groups anew in each branch; write (?: and refer to groups by name'],
  [/\?C\d*\)|\?\?\{|\?\{/y, 'runs code; leave it out'],
  [/\*[A-Za-z_]+(?::[^)]*)?\)/y, 'steers how PCRE searches; leave it out'],
]

/** Read alternatives up to the end of the pattern, or of the group around the cursor. */
export function readBranches(cursor: Cursor, depth = 0): Branches {
  if (depth > MOST_NESTED) throw new PatternProblem('Its groups are nested too deeply.')
  const before = { ...cursor.flags }
  const branches: Part[][] = []
  let ignored: boolean | undefined
  let sequence: Part[] = []
  /** Begin a sequence whose case sensitivity is that of the last flag. */
  function begin(whole: boolean): void {
    const inner: Part[] = []
    if (whole) branches.push(ignored === undefined ? inner : [{ type: 'case', ignored, branches: [inner] }])
    else sequence.push({ type: 'case', ignored: ignored!, branches: [inner] })
    sequence = inner
  }
  begin(true)
  while (cursor.at < cursor.text.length && nextChar(cursor) !== ')') {
    if (takeMatch(cursor, /\|/y)) {
      begin(true)
      continue
    }
    const flags = takeFlags(cursor, ')')
    if (flags) {
      if (flags.ignored === undefined) continue
      ignored = flags.ignored
      begin(false)
      continue
    }
    sequence.push(...readParts(cursor, depth))
  }
  cursor.flags = before
  return branches
}

/** Read `(?ims-x)` or `(?ims-x:`, and set the flags. */
export function takeFlags(cursor: Cursor, end: ')' | ':'): { ignored: boolean | undefined } | undefined {
  const found = takeMatch(
    cursor,
    end === ')'
      ? /\(\?(?<on>[A-Za-z]*)(?:-(?<off>[A-Za-z]+))?\)/y
      : /\?(?<on>[A-Za-z]*)(?:-(?<off>[A-Za-z]+))?:/y,
  )
  if (!found) return undefined
  const { on = '', off = '' } = found.groups!
  if (on === 'R')
    throw new PatternProblem('(?R) calls the pattern again (recursion), which is not known here.')
  let ignored: boolean | undefined
  for (const [letters, value] of [
    [on, true],
    [off, false],
  ] as const)
    for (const letter of letters) {
      if (letter === 'i') ignored = value
      else if (letter === 'm') cursor.flags.lines = value
      else if (letter === 's') cursor.flags.dotAll = value
      else if (letter === 'x') cursor.flags.spaced = value
      else if (letter === 'a' || letter === 'u') cursor.flags.ascii = value === (letter === 'a')
      else
        throw new PatternProblem(
          `The flag ${letter} of ${found[0].replace(/^\?/, '(?')} is not known here; known are i, m, s, x, u and a.`,
        )
    }
  return { ignored }
}

/** Read the next part with its quantifier. Quoted characters give several parts, an empty construct none. */
function readParts(cursor: Cursor, depth: number): Part[] {
  if (takeMatch(cursor, /\(\?#[^)]*\)/y)) return []
  if (cursor.flags.spaced && takeMatch(cursor, /\s+|#[^\n]*/y)) return []
  const quoted = takeMatch(cursor, /\\Q(?<text>.*?)(?:\\E|$)/sy)?.groups?.['text']
  const parts: Part[] =
    quoted === undefined
      ? [readOne(cursor, depth)].filter(part => part !== undefined)
      : Array.from(quoted).map(char => charPart(cursor, char))
  const last = parts.pop()
  if (cursor.flags.spaced) takeMatch(cursor, /(?:\s|#[^\n]*\n)+(?=[*+?{])/y)
  return last === undefined ? parts : [...parts, readRepeat(cursor, last)]
}

function readOne(cursor: Cursor, depth: number): Part | undefined {
  refuseRepeat(cursor, 'at the start of a pattern, a branch or a group')
  const char = takeChar(cursor)
  const { lines, dotAll, ascii } = cursor.flags
  if (char === '\\') return readEscape(cursor)
  if (char === '[') return readSet(cursor)
  if (char === '(') return readGroup(cursor, depth)
  if (char === '.') {
    if (dotAll) cursor.facts.wholeFile = true
    return { type: 'any', breaks: dotAll }
  }
  if (char === '^' || char === '$') {
    if (!lines) cursor.facts.wholeFile = true
    const side = char === '^' ? 'start' : 'end'
    return { type: 'place', place: `${lines ? 'line' : 'text'} ${side}`, ascii }
  }
  return charPart(cursor, char)
}

function refuseRepeat(cursor: Cursor, where: string): void {
  const sign = takeMatch(cursor, /[*+?]|\{(?:\d+,?\d*|,\d+)\}/y)?.[0]
  if (sign === undefined) return
  const more = sign === '*' ? 'For any text write .*; for' : 'For'
  throw new PatternProblem(
    `${sign} has nothing to repeat ${where}. ${more} the character${sign.length > 1 ? 's' : ''} write \\${sign}`,
  )
}

function readRepeat(cursor: Cursor, part: Part): Part {
  if (part.type === 'place') {
    refuseRepeat(cursor, 'after a place such as ^ or \\b')
    return part
  }
  const found = takeMatch(
    cursor,
    /(?:(?<sign>[*+?])|\{(?<least>\d+)(?:(?<comma>,)(?<most>\d*))?\}|\{,(?<upTo>\d+)\})(?<manner>[?+]?)/y,
  )?.groups
  if (!found) return part
  const { sign, least = '0', comma = '', most = '', upTo, manner = '' } = found
  const count = sign ?? (upTo === undefined ? `{${least}${comma}${most}}` : `{0,${upTo}}`)
  if (most !== '' && Number(most) < Number(least))
    throw new PatternProblem(`${count} is the wrong way round.`, { maybeLiteral: true })
  refuseRepeat(cursor, `after ${count}`)
  const possessive = manner === '+'
  if (possessive) refuseInLookbehind(cursor, `${count}+`)
  return {
    type: 'repeat',
    part,
    count: count + (manner === '?' ? '?' : ''),
    least: sign === undefined ? Number(upTo === undefined ? least : 0) : Number(sign === '+'),
    possessive,
  }
}

/** Refuse a construct in a lookbehind, which RegExp matches backwards, perhaps finding another match. */
function refuseInLookbehind({ inLookbehind }: Cursor, what: string): void {
  if (inLookbehind)
    throw new PatternProblem(`${what} within a lookbehind is not known here. Leave the last + or the ?> out.`)
}

function readGroup(cursor: Cursor, depth: number): Part | undefined {
  for (const [expression, what] of UNKNOWN_GROUPS) {
    const found = takeMatch(cursor, expression)?.[0]
    if (found !== undefined) throw new PatternProblem(`(${found} ${what}.`)
  }
  const again = takeMatch(cursor, /\?P=(?<name>[^)]+)\)/y)?.groups?.['name']
  if (again !== undefined) return referenceTo(cursor, again)
  const flags = { ...cursor.flags }
  const marked = takeFlags(cursor, ':')
  if (marked) {
    const branches = readBody(cursor, depth)
    cursor.flags = flags
    return marked.ignored === undefined
      ? { type: 'group', kind: 'plain', index: 0, branches }
      : { type: 'case', ignored: marked.ignored, branches }
  }
  return readNamedGroup(cursor, depth)
}

const KINDS = {
  '?>': 'atomic',
  '?=': 'ahead',
  '?!': 'not ahead',
  '?<=': 'behind',
  '?<!': 'not behind',
} as const

function readNamedGroup(cursor: Cursor, depth: number): Part {
  const sign = takeMatch(cursor, /\?(?:>|=|!|<=|<!)/y)?.[0] as keyof typeof KINDS | undefined
  if (sign !== undefined) {
    const kind = KINDS[sign]
    if (kind === 'atomic') refuseInLookbehind(cursor, '(?>…)')
    const { inLookbehind } = cursor
    cursor.inLookbehind ||= kind.endsWith('behind')
    const branches = readBody(cursor, depth)
    cursor.inLookbehind = inLookbehind
    return { type: 'group', kind, index: 0, branches }
  }
  const named = takeMatch(
    cursor,
    /\?(?:P?<(?<a>[\p{L}_$][\p{L}\p{N}_.$-]*)>|'(?<b>[\p{L}_$][\p{L}\p{N}_.$-]*)')/uy,
  )?.groups
  if (!named && nextChar(cursor) === '?')
    throw new PatternProblem(
      `(${cursor.text.slice(cursor.at, cursor.at + 4)} is not a group that is known here.`,
      {
        maybeLiteral: true,
      },
    )
  cursor.groups += 1
  const index = cursor.groups
  const name = named?.['a'] ?? named?.['b']
  if (name !== undefined && !cursor.names.has(name)) cursor.names.set(name, index)
  return { type: 'group', kind: 'capture', index, branches: readBody(cursor, depth) }
}

function readBody(cursor: Cursor, depth: number): Branches {
  const branches = readBranches(cursor, depth + 1)
  if (!takeMatch(cursor, /\)/y)) throw new PatternProblem('A ( has no )', { maybeLiteral: true })
  return branches
}
