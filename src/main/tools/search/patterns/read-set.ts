import { posixClass } from './named-classes.ts'
import {
  charPart,
  PatternProblem,
  nextChar,
  takeChar,
  takeMatch,
  type Cursor,
  type Part,
  type SetItem,
} from './pattern-parts.ts'
import { readShared } from './read-escape.ts'

/** Read a set after its `[`. */
export function readSet(cursor: Cursor): Part {
  const start = cursor.at - 1
  const edge = takeMatch(cursor, /\[:(?<side>[<>]):\]\]/y)?.groups?.['side']
  if (edge !== undefined)
    return { type: 'place', place: edge === '<' ? 'word start' : 'word end', ascii: cursor.flags.ascii }
  const misplaced = takeMatch(cursor, /:\^?(?<name>[a-z]+):\]/y)?.groups?.['name']
  if (misplaced !== undefined)
    throw new PatternProblem(`[:${misplaced}:] stands in a set of its own: write [[:${misplaced}:]]`)
  const negated = takeMatch(cursor, /\^/y) !== undefined
  const items: SetItem[] = []
  // An excluded character need not be in the text: `[^\n]` stays within a line.
  const { wholeFile, returns } = cursor.facts
  if (nextChar(cursor) === ']' && beginsWithBracket(cursor)) items.push(charPart(cursor, takeChar(cursor)))
  for (;;) {
    if (cursor.at >= cursor.text.length)
      throw new PatternProblem(`The set that ${cursor.text.slice(start, start + 20)} begins has no ]`, {
        maybeLiteral: true,
      })
    if (takeMatch(cursor, /\]/y)) break
    items.push(readItem(cursor))
  }
  const combined = isNested(items) ? takeMatch(cursor, /(?:&&|--|~~)(?=\[)/y)?.[0] : undefined
  if (combined !== undefined) throw combinedSets(combined)
  if (negated) Object.assign(cursor.facts, { wholeFile, returns })
  if (items.length === 0) {
    if (!negated)
      throw new PatternProblem('[] is a set of nothing. For brackets write \\[\\]', { maybeLiteral: true })
    cursor.facts.wholeFile = true
    return { type: 'any', breaks: true }
  }
  if (!negated && hasEverything(items)) {
    cursor.facts.wholeFile = true
    return { type: 'any', breaks: true }
  }
  return { type: 'set', negated, items }
}

/** Whether a `]` at the start is a member, as in `[]abc]` and `[^][]`, and not the end, as in `[^]*x`. */
function beginsWithBracket({ text, at }: Cursor): boolean {
  const rest = text.slice(at + 1)
  return rest.startsWith('[') || /^[^[\]\\]*(?:\\.[^[\]\\]*)*\]/s.test(rest)
}

/** Whether a set such as `[\s\S]` matches every character. */
const hasEverything = (items: readonly SetItem[]): boolean =>
  items.some(
    item =>
      item.type === 'class' &&
      items.some(
        other => other.type === 'class' && other.name === item.name && other.negated !== item.negated,
      ),
  )

/** Whether a set begins with another one, as in `[[a-z]--[aeiou]]`. */
const isNested = ([first]: readonly SetItem[]): boolean => first?.type === 'char' && first.value === '['

const combinedSets = (operation: string) =>
  new PatternProblem(
    `${operation} between sets is not known here. Write the set out, or put (?=[…]) or (?![…]) in front of it.`,
  )

function readItem(cursor: Cursor): SetItem {
  const from = readMember(cursor)
  if (!/^-(?!\]|$)/.test(cursor.text.slice(cursor.at, cursor.at + 2)) || from.type !== 'char') return from
  const before = cursor.at
  cursor.at += 1
  const to = readMember(cursor)
  if (to.type !== 'char') {
    cursor.at = before
    return from
  }
  if (from.value.codePointAt(0)! > to.value.codePointAt(0)!)
    throw new PatternProblem(`The range ${from.value}-${to.value} is the wrong way round`, {
      maybeLiteral: true,
    })
  return { type: 'range', from: from.value, to: to.value }
}

function readMember(cursor: Cursor): SetItem {
  const posix = takeMatch(cursor, /\[:(?<not>\^?)(?<name>\w+):\]/y)?.groups
  if (posix) {
    const { cased, ...item } = posixClass(posix['name']!, posix['not'] !== '')
    if (cased) cursor.facts.cased = true
    return item
  }
  const special = takeMatch(cursor, /\[[.=][^\]]{1,20}[.=]\]/y)?.[0]
  if (special !== undefined)
    throw new PatternProblem(
      `${special} depends on a language and is not known here. Write the characters themselves.`,
    )
  const operation = takeMatch(cursor, /(?:&&|--|~~)(?=\[)/y)?.[0]
  if (operation !== undefined) throw combinedSets(operation)
  if (!takeMatch(cursor, /\\/y)) return charPart(cursor, takeChar(cursor))
  if (takeMatch(cursor, /b/y)) return charPart(cursor, '\b')
  if (takeMatch(cursor, /R/y)) {
    cursor.facts.wholeFile = true
    return { type: 'ready', source: '\\n\\v\\f\\r\\x85\\u2028\\u2029', negated: false }
  }
  const wrong = takeMatch(cursor, /[ABGKNQXZz]/y)?.[0]
  if (wrong !== undefined)
    throw new PatternProblem(`\\${wrong} has no meaning in a set. Put it outside of the brackets.`)
  return readShared(cursor)
}
