import { GREATER, LESS } from './char-codes.ts'
import { END, type Input, type Reading, comesNext } from './input.ts'
import { foldMark, NAMING, type Role, WHOLE } from './mark-table.ts'

/** A piece of markup that comes next in the input, not yet consumed. */
export type Marker = {
  role: Role
  /** As spelled by `foldMark`. */
  mark: string
  /** The name it carries: of a tool or of a parameter. */
  name: string
  attributes: Record<string, string>
  /** Written `<function=name>`, not `<function name="name">`. */
  hasEquals: boolean
  length: number
}

const LONGEST_MARK = 64
const LONGEST_NAMING = 300

const wholeMarks = new Map(
  WHOLE.flatMap(([role, marks]) => marks.split(' ').map(mark => [mark, role] as const)),
)
const namingMarks = new Map(
  NAMING.flatMap(([role, marks]) => marks.split(' ').map(mark => [mark, role] as const)),
)
const beginnings = new Set(
  [...wholeMarks.keys(), ...namingMarks.keys()].flatMap(mark =>
    Array.from(mark, (_, index) => mark.slice(0, index + 1)),
  ),
)
const firsts = new Uint8Array(128)
for (const mark of beginnings) firsts[mark.charCodeAt(0)] = 1

/** Whether a marker can start with this character. */
export function beginsMarker(code: number): boolean {
  return firsts[code] === 1
}

/** The marker that comes next, if any. Waits only while the characters so far can start a marker. */
export function* readMarker(input: Input): Reading<Marker | undefined> {
  let mark = ''
  for (let length = 0; length < LONGEST_MARK;) {
    while (input.lacks(length + 1)) yield
    if (input.code(length) === END) return undefined
    mark += foldMark(String.fromCharCode(input.code(length)), mark)
    length++
    if (!beginnings.has(mark)) return mark.startsWith('<|') ? yield* readToken(input) : undefined
    const role = wholeMarks.get(mark)
    if (role) return { role, mark, name: '', attributes: {}, hasEquals: false, length }
    const naming = namingMarks.get(mark)
    if (naming) return yield* readNaming(input, naming, mark, length)
  }
  return undefined
}

/** A token that is in no table. Models leak such tokens at the end of their answers. */
function* readToken(input: Input): Reading<Marker | undefined> {
  for (let length = 2; length < 40; length++) {
    while (input.lacks(length + 2)) yield
    const character = String.fromCharCode(input.code(length))
    const isEnd = (character === '|' || character === '｜') && length > 3
    if (isEnd && input.code(length + 1) === GREATER)
      return { role: 'stop', mark: '', name: '', attributes: {}, hasEquals: false, length: length + 2 }
    if (!/[\w▁]/.test(character)) return undefined
  }
  return undefined
}

function* readNaming(input: Input, role: Role, mark: string, from: number): Reading<Marker | undefined> {
  const last = mark.startsWith('<|open|>') ? '<|sep|>' : '>'
  const start = input.at
  for (let length = from; length < LONGEST_NAMING; length++) {
    while (input.lacks(length + 1)) yield
    const code = input.code(length)
    if (code === last.charCodeAt(0)) {
      input.at = start + length
      const ends = yield* comesNext(input, last)
      input.at = start
      if (!ends) return undefined
      const text = input.slice(start + from, start + length)
      return named(text, { role, mark, length: length + last.length })
    }
    if (code === END || code === LESS) return undefined
  }
  return undefined
}

function named(text: string, marker: Pick<Marker, 'role' | 'mark' | 'length'>): Marker | undefined {
  const hasEquals = marker.mark.endsWith('=')
  const attributes: Record<string, string> = {}
  if (!hasEquals)
    for (const [, key, double, single, bare] of text.matchAll(
      /([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'/]+))/g,
    ))
      attributes[key!] = double ?? single ?? bare ?? ''
  const written = hasEquals ? text.trim().replace(/^(["'])(.*)\1$/, '$2') : undefined
  const name = written ?? attributes['name'] ?? attributes['tool'] ?? attributes['key'] ?? ''
  return name === '' ? undefined : { ...marker, name, attributes, hasEquals }
}
