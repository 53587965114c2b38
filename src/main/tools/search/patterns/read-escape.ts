import { propertyClass } from './named-classes.ts'
import {
  charPart,
  PatternProblem,
  takeChar,
  takeMatch,
  type Cursor,
  type Part,
  type Place,
} from './pattern-parts.ts'

const CHARACTERS: Record<string, string> = {
  a: '\u0007',
  e: '\u001b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}
const PLACES: Record<string, Place> = {
  A: 'text start',
  B: 'no boundary',
  Z: 'text end',
  b: 'boundary',
  z: 'text end',
}
const BRACED: Record<string, Place> = { start: 'word start', end: 'word end' }

/** The replacements to suggest for unsupported escapes. */
const INSTEAD: Record<string, string> = {
  C: 'For any character write .',
  G: 'Leave it out: every search begins anew.',
  X: 'For a sign with its accents write \\P{M}\\p{M}*',
  y: 'For the border of a word write \\b',
  m: 'For the border of a word write \\b',
  M: 'For the border of a word write \\b',
  i: 'For the first letter of a name write [\\p{L}_:]',
}

/** Read what follows a backslash outside a set; undefined if it has no effect on a search for lines. */
export function readEscape(cursor: Cursor): Part | undefined {
  const place = readPlace(cursor)
  if (place) return { type: 'place', place, ascii: cursor.flags.ascii }
  if (takeMatch(cursor, /E|K/y)) return undefined
  if (takeMatch(cursor, /R/y)) {
    cursor.facts.wholeFile = true
    return {
      type: 'set',
      negated: false,
      items: [{ type: 'ready', source: '\\n\\v\\f\\r\\x85\\u2028\\u2029', negated: false }],
    }
  }
  if (takeMatch(cursor, /N(?!\{)/y)) return { type: 'any', breaks: false }
  return readReference(cursor) ?? readShared(cursor)
}

/** Read an escape that means the same in a set: a character or a class. */
export function readShared(cursor: Cursor): Extract<Part, { type: 'char' | 'class' | 'ready' }> {
  const byCode = readCode(cursor)
  if (byCode !== undefined) return charPart(cursor, byCode)
  const property = takeMatch(cursor, /(?<kind>[pP])(?:\{(?<name>[^{}]{1,80})\}|(?<letter>[A-Za-z]))/y)
  if (property) {
    const { kind, name, letter } = property.groups!
    const { cased, ...item } = propertyClass(name ?? letter!, kind === 'P')
    if (cased) cursor.facts.cased = true
    return item as Part & { type: 'ready' }
  }
  const letter = takeChar(cursor)
  if (/^[wdshWDSH]$/.test(letter)) {
    const name = letter.toLowerCase() as 'w'
    if (name === ('h' as string)) cursor.facts.notes.add('\\h was read as a blank within a line')
    return { type: 'class', name, negated: letter !== name, ascii: cursor.flags.ascii }
  }
  if (Object.hasOwn(CHARACTERS, letter)) return charPart(cursor, CHARACTERS[letter]!)
  if (letter === '') throw new PatternProblem('It ends with a backslash', { maybeLiteral: true })
  if (!/^[A-Za-z0-9]$/.test(letter)) return charPart(cursor, letter)
  if (/\d/.test(letter))
    throw new PatternProblem(`There is no group ${letter} that \\${letter} could repeat.`)
  const instead =
    INSTEAD[letter] ?? `For the letter ${letter} write it without the backslash; for a backslash write \\\\`
  throw new PatternProblem(`\\${letter} is not known here. ${instead}`)
}

function readPlace(cursor: Cursor): Place | undefined {
  const braced = takeMatch(cursor, /b\{(?<name>start|end)\}/y)?.groups?.['name']
  if (braced !== undefined) return BRACED[braced]
  const angle = cursor.plainAngles ? undefined : takeMatch(cursor, /[<>]/y)?.[0]
  if (angle !== undefined) return angle === '<' ? 'word start' : 'word end'
  const letter = takeMatch(cursor, /[ABZbz]/y)?.[0]
  if (letter === undefined) return undefined
  const place = PLACES[letter]!
  if (place === 'text start' || place === 'text end') {
    cursor.facts.wholeFile = true
    const line = place === 'text start' ? 'start of a line write ^' : 'end of a line write $'
    cursor.facts.notes.add(
      `\\${letter} was read as the ${place === 'text start' ? 'start' : 'end'} of the file; for the ${line}`,
    )
  }
  return place
}

/** Read `\1`, `\k<name>`, `\g{-1}` and similar references. */
function readReference(cursor: Cursor): Part | undefined {
  const call = takeMatch(cursor, /g(?:<[^>]*>|'[^']*')/y)
  if (call)
    throw new PatternProblem(
      `\\${call[0]} calls a group again, as in a recursion, which is not known here. Write the group out.`,
    )
  const found =
    takeMatch(cursor, /k(?:<(?<a>[^<>]+)>|'(?<b>[^']+)'|\{(?<c>[^{}]+)\})/y) ??
    takeMatch(cursor, /g(?:\{(?<a>[^{}]+)\}|(?<b>-?\d{1,3}))/y) ??
    takeMatch(cursor, /(?<a>[1-9]\d{0,2})/y)
  if (!found) return undefined
  const { a, b, c } = found.groups!
  const given = (a ?? b ?? c)!
  const name = /^-\d+$/.test(given) ? String(cursor.groups + 1 + Number(given)) : given
  return referenceTo(cursor, name)
}

/** The part that repeats what a group has matched; `name` is a name or a number. */
export function referenceTo(cursor: Cursor, name: string): Part {
  const part = { type: 'again' as const, index: 0 }
  cursor.references.push({ part, name })
  return part
}

/** Read a character given by its number, in any notation. */
function readCode(cursor: Cursor): string | undefined {
  const hex = takeMatch(
    cursor,
    /(?:x\{\s*(?<a>[0-9A-Fa-f]{1,6})\s*\}|x(?<b>[0-9A-Fa-f]{2})|u\{(?<c>[0-9A-Fa-f]{1,6})\}|u(?<d>[0-9A-Fa-f]{4})|U(?<e>[0-9A-Fa-f]{8})|N\{U\+(?<f>[0-9A-Fa-f]{1,6})\})/y,
  )
  if (hex) {
    const { a, b, c, d, e, f } = hex.groups!
    const high = d === undefined ? undefined : takeLow(cursor, Number.parseInt(d, 16))
    return high ?? fromCode(Number.parseInt((a ?? b ?? c ?? d ?? e ?? f)!, 16))
  }
  const octal = takeMatch(cursor, /o\{(?<a>[0-7]{1,7})\}|0(?<b>[0-7]{0,2})/y)
  if (octal) return fromCode(Number.parseInt(octal.groups!['a'] ?? (octal.groups!['b'] || '0'), 8))
  const control = takeMatch(cursor, /c(?<letter>[A-Za-z@[\\\]^_])/y)?.groups?.['letter']
  if (control === undefined) return undefined
  cursor.facts.notes.add(
    `\\c${control} was read as Control-${control.toUpperCase()}; for any case write (?i)`,
  )
  return fromCode(control.toUpperCase().codePointAt(0)! - 64)
}

/** Read the second half of a character that is written as two. */
function takeLow(cursor: Cursor, high: number): string | undefined {
  if (high < 0xd8_00 || high > 0xdb_ff) return undefined
  const low = takeMatch(cursor, /\\u(?<low>[dD][c-fC-F][0-9A-Fa-f]{2})/y)?.groups?.['low']
  return low === undefined ? undefined : String.fromCharCode(high, Number.parseInt(low, 16))
}

function fromCode(code: number): string {
  if (code > 0x10_ff_ff) throw new PatternProblem(`There is no character ${code.toString(16)} in Unicode.`)
  return String.fromCodePoint(code)
}
