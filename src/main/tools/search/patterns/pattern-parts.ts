/** A class of characters with a letter of its own: `\w`, `\d`, `\s`, and `\h` for blanks within a line. */
export type ClassName = 'w' | 'd' | 's' | 'h'

/** A place between characters. */
export type Place =
  | 'line start'
  | 'line end'
  | 'text start'
  | 'text end'
  | 'boundary'
  | 'no boundary'
  | 'word start'
  | 'word end'

/** What can stand in a set such as `[a-z\d]`, and by itself. */
export type SetItem =
  | { type: 'char'; value: string }
  | { type: 'range'; from: string; to: string }
  /** `ascii`: the class has the English letters and digits only. */
  | { type: 'class'; name: ClassName; negated: boolean; ascii: boolean }
  /** A set as it is written between the brackets of a RegExp with the flag `v`. */
  | { type: 'ready'; source: string; negated: boolean }

type GroupKind = 'plain' | 'capture' | 'atomic' | 'ahead' | 'not ahead' | 'behind' | 'not behind'

/** One part of a pattern, whatever dialect it was written in. */
export type Part =
  | Exclude<SetItem, { type: 'range' }>
  /** `breaks`: it also matches a line break. */
  | { type: 'any'; breaks: boolean }
  | { type: 'set'; negated: boolean; items: readonly SetItem[] }
  | { type: 'place'; place: Place; ascii: boolean }
  | { type: 'group'; kind: GroupKind; index: number; branches: Branches }
  /** `(?i:…)` and `(?-i:…)`. */
  | { type: 'case'; ignored: boolean; branches: Branches }
  | { type: 'again'; index: number }
  | { type: 'repeat'; part: Part; count: string; least: number; possessive: boolean }

/** The alternatives of a pattern or a group, each a sequence. */
export type Branches = readonly (readonly Part[])[]

/** Why a pattern cannot be translated. It never leaves this folder. */
export class PatternProblem extends Error {
  override readonly name = 'PatternProblem'
  /** Whether the writer may have meant the characters as they are. */
  readonly maybeLiteral: boolean
  constructor(message: string, { maybeLiteral = false } = {}) {
    super(message)
    this.maybeLiteral = maybeLiteral
  }
}

/** The state of reading one pattern. */
export type Cursor = {
  readonly text: string
  at: number
  /** Which inline flags are on now; `i` is a part of its own. */
  flags: { dotAll: boolean; spaced: boolean; ascii: boolean; lines: boolean }
  /** Whether `\<` and `\>` are these characters, not the ends of words. */
  readonly plainAngles: boolean
  /** The number of the last group, and of each named one. */
  groups: number
  readonly names: Map<string, number>
  /** References to groups by name or number, checked at the end. */
  readonly references: { part: Part & { type: 'again' }; name: string }[]
  inLookbehind: boolean
  readonly facts: PatternFacts
}

/** What the reading of a pattern has shown. */
export type PatternFacts = {
  /** It has a capital letter, or a class that tells capitals from others. */
  cased: boolean
  /** It can only be searched for in whole files. */
  wholeFile: boolean
  /** It names carriage returns, which are otherwise no part of a line. */
  returns: boolean
  /** How constructs were read that others read differently, for an answer without matches. */
  readonly notes: Set<string>
}

/** The character at the cursor, a whole code point; empty at the end. */
export function nextChar({ text, at }: Cursor): string {
  const code = text.codePointAt(at)
  return code === undefined ? '' : String.fromCodePoint(code)
}

/** Read one character. */
export function takeChar(cursor: Cursor): string {
  const char = nextChar(cursor)
  cursor.at += char.length
  return char
}

/** Read what a sticky expression matches at the cursor; undefined when it does not. */
export function takeMatch(cursor: Cursor, expression: RegExp): RegExpExecArray | undefined {
  expression.lastIndex = cursor.at
  const match = expression.exec(cursor.text) ?? undefined
  if (match) cursor.at += match[0].length
  return match
}

/** A character of the pattern, and what it says about the search. */
export function charPart({ facts }: Cursor, value: string): { type: 'char'; value: string } {
  if (/\p{Lu}/u.test(value)) facts.cased = true
  if (value === '\n') facts.wholeFile = true
  if (value === '\r') facts.returns = true
  return { type: 'char', value }
}
