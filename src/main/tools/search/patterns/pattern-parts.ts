/** A class of characters with its own letter: `\w`, `\d`, `\s`, and `\h` for blanks within a line. */
export type ClassName = 'w' | 'd' | 's' | 'h'

/** A position between characters. */
export type Place =
  | 'line start'
  | 'line end'
  | 'text start'
  | 'text end'
  | 'boundary'
  | 'no boundary'
  | 'word start'
  | 'word end'

/** An item of a set such as `[a-z\d]`. All but ranges can also occur outside a set. */
export type SetItem =
  | { type: 'char'; value: string }
  | { type: 'range'; from: string; to: string }
  /** `ascii`: the class contains only English letters and digits. */
  | { type: 'class'; name: ClassName; negated: boolean; ascii: boolean }
  /** The content of a set, as written between the brackets of a RegExp with the flag `v`. */
  | { type: 'ready'; source: string; negated: boolean }

type GroupKind = 'plain' | 'capture' | 'atomic' | 'ahead' | 'not ahead' | 'behind' | 'not behind'

/** One part of a pattern, in whatever dialect it was written. */
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

/** Why a pattern cannot be translated. Never leaves this folder. */
export class PatternProblem extends Error {
  override readonly name = 'PatternProblem'
  /** Whether the characters may have been meant literally. */
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
  /** The inline flags that are on now. `i` is a separate part. */
  flags: { dotAll: boolean; spaced: boolean; ascii: boolean; lines: boolean }
  /** Whether `\<` and `\>` mean these characters, not the ends of words. */
  readonly plainAngles: boolean
  /** The number of the last group, and of each named group. */
  groups: number
  readonly names: Map<string, number>
  /** References to groups by name or number, checked at the end. */
  readonly references: { part: Part & { type: 'again' }; name: string }[]
  inLookbehind: boolean
  readonly facts: PatternFacts
}

/** The facts about a pattern that reading it has shown. */
export type PatternFacts = {
  /** The pattern has a capital letter, or a class that distinguishes capitals. */
  cased: boolean
  /** The pattern can only be searched for in whole files. */
  wholeFile: boolean
  /** The pattern names carriage returns, which otherwise do not belong to a line. */
  returns: boolean
  /** Notes on how ambiguous constructs were read, shown if nothing is found. */
  readonly notes: Set<string>
}

/** The code point at the cursor; empty at the end. */
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

/** Read what a sticky expression matches at the cursor; undefined if it does not match. */
export function takeMatch(cursor: Cursor, expression: RegExp): RegExpExecArray | undefined {
  expression.lastIndex = cursor.at
  const match = expression.exec(cursor.text) ?? undefined
  if (match) cursor.at += match[0].length
  return match
}

/** Make a character of the pattern into a part, and note what it says about the search. */
export function charPart({ facts }: Cursor, value: string): { type: 'char'; value: string } {
  if (/\p{Lu}/u.test(value)) facts.cased = true
  if (value === '\n') facts.wholeFile = true
  if (value === '\r') facts.returns = true
  return { type: 'char', value }
}
