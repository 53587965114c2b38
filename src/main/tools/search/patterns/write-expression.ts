import type { Branches, ClassName, Part, Place, SetItem } from './pattern-parts.ts'

/** Whether the text may have non-English letters. If not, the RegExp classes are right, and fast. */
type Letters = 'english' | 'all'
type Writing = { letters: Letters; used: ReadonlySet<number>; atomic: number }

const WORD = String.raw`\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}`
const CLASSES: Record<ClassName, string> = {
  w: WORD,
  d: String.raw`\p{Nd}`,
  s: String.raw`\s\x85`,
  h: String.raw`\t\p{Zs}`,
}
const IS_WORD = new RegExp(`^[${WORD}]$`, 'u')

/** Write the parts of a pattern as a RegExp with the flag `v`. `used` are the groups that are referred to. */
export function writeExpression(branches: Branches, letters: Letters, used: ReadonlySet<number>): string {
  return written(branches, { letters, used, atomic: 0 })
}

/** Escape characters for a RegExp with the flag `v`. */
export const writeCharacters = (text: string): string => Array.from(text).map(writeChar).join('')

const written = (branches: Branches, writing: Writing): string =>
  branches.map(parts => parts.map((part, at) => writePart(part, writing, parts, at)).join('')).join('|')

function writePart(part: Part, writing: Writing, around: readonly Part[], at: number): string {
  switch (part.type) {
    case 'char':
      return writeChar(part.value)
    case 'any':
      return part.breaks ? String.raw`[\s\S]` : String.raw`[^\n]`
    case 'class':
    case 'ready':
      return writeItem(part, writing, false)
    case 'set':
      return `[${part.negated ? '^' : ''}${part.items.map(item => writeItem(item, writing, true)).join('')}]`
    case 'place':
      return writePlace(part.place, part.ascii ? 'english' : writing.letters, around[at - 1], around[at + 1])
    case 'group':
      return writeGroup(part, writing)
    case 'case':
      return `(?${part.ignored ? 'i' : '-i'}:${written(part.branches, writing)})`
    case 'again':
      return `\\k<g${part.index}>`
    case 'repeat': {
      const repeated = writePart(part.part, writing, [], 0)
      // With the flag `v`, a lookaround itself cannot be repeated.
      const source = `${/^\(\?<?[=!]/.test(repeated) ? `(?:${repeated})` : repeated}${part.count}`
      return part.possessive ? atomic(source, writing) : source
    }
  }
}

function writeGroup({ kind, index, branches }: Extract<Part, { type: 'group' }>, writing: Writing): string {
  const body = written(branches, writing)
  switch (kind) {
    case 'plain':
      return `(?:${body})`
    case 'capture':
      return writing.used.has(index) ? `(?<g${index}>${body})` : `(?:${body})`
    case 'atomic':
      return atomic(body, writing)
    case 'ahead':
      return `(?=${body})`
    case 'not ahead':
      return `(?!${body})`
    case 'behind':
      return `(?<=${body})`
    case 'not behind':
      return `(?<!${body})`
  }
}

/** Emulate an atomic group: RegExp has none, but it never backtracks into a lookahead. */
function atomic(source: string, writing: Writing): string {
  writing.atomic += 1
  return `(?:(?=(?<a${writing.atomic}>${source}))\\k<a${writing.atomic}>)`
}

function writeChar(value: string): string {
  if (value === '\n') return '\\n'
  if (/^[\ud800-\udfff]$/.test(value)) return `\\u${value.charCodeAt(0).toString(16)}`
  return /^[$()*+./?[\\\]^{|}]$/.test(value) ? `\\${value}` : value
}

const inSet = (value: string) =>
  /^[!#$%&()*+,\-./:;<=>?@[\\\]^`{|}~]$/.test(value) ? `\\${value}` : writeChar(value)

function writeItem(item: SetItem, { letters }: Writing, isInSet: boolean): string {
  switch (item.type) {
    case 'char':
      return inSet(item.value)
    case 'range':
      return `${inSet(item.from)}-${inSet(item.to)}`
    case 'class': {
      const isEnglish = item.ascii || letters === 'english'
      if (isEnglish && item.name !== 'h') return `\\${item.negated ? item.name.toUpperCase() : item.name}`
      return bracketed(isEnglish ? String.raw`\t\x20` : CLASSES[item.name], item.negated, isInSet)
    }
    case 'ready':
      return bracketed(item.source, item.negated, isInSet)
  }
}

const bracketed = (source: string, negated: boolean, isInSet: boolean): string =>
  negated ? `[^${source}]` : isInSet ? source : `[${source}]`

/** Write out `\b` and its like, which in RegExp know English letters only. Known neighbours shorten it. */
function writePlace(
  place: Place,
  letters: Letters,
  previous: Part | undefined,
  next: Part | undefined,
): string {
  const word = letters === 'english' ? String.raw`\w` : `[${WORD}]`
  const [from, notFrom, to, notTo] = [`(?<=${word})`, `(?<!${word})`, `(?=${word})`, `(?!${word})`]
  switch (place) {
    case 'line start':
      return '^'
    case 'line end':
      return '$'
    case 'text start':
      return '(?-m:^)'
    case 'text end':
      return String.raw`(?=\n?(?-m:$))`
    case 'word start':
      return edgeOf(next, 'first') === 'word' ? notFrom : notFrom + to
    case 'word end':
      return edgeOf(previous, 'last') === 'word' ? notTo : from + notTo
    case 'no boundary':
      return letters === 'english' ? String.raw`\B` : `(?:${from}${to}|${notFrom}${notTo})`
    case 'boundary': {
      if (letters === 'english') return String.raw`\b`
      const [before, after] = [edgeOf(previous, 'last'), edgeOf(next, 'first')]
      if (after !== undefined) return after === 'word' ? notFrom : from
      if (before !== undefined) return before === 'word' ? notTo : to
      return `(?:${notFrom}${to}|${from}${notTo})`
    }
  }
}

/** The kind of character beside a place, if it is the same in every match. */
function edgeOf(part: Part | undefined, side: 'first' | 'last'): 'word' | 'other' | undefined {
  switch (part?.type) {
    case 'char':
      return IS_WORD.test(part.value) ? 'word' : 'other'
    case 'class':
      if (part.name === 's' || part.name === 'h' || part.ascii)
        return part.negated || part.ascii ? undefined : 'other'
      if (part.name === 'w') return part.negated ? 'other' : 'word'
      return part.negated ? undefined : 'word'
    case 'repeat':
      return part.least > 0 ? edgeOf(part.part, side) : undefined
    case 'case':
    case 'group': {
      if (part.type === 'group' && part.kind !== 'plain' && part.kind !== 'capture') return undefined
      const edges = part.branches.map(parts => edgeOf(side === 'first' ? parts[0] : parts.at(-1), side))
      return edges.every(edge => edge === edges[0]) ? edges[0] : undefined
    }
    default:
      return undefined
  }
}
