import type { ScanCategory, ScanFinding } from '../../../shared/contract/skills.ts'

/**
 * Where a piece of text stands. `front`: one field of the front matter. `prose`: one paragraph or list item. `code`: one
 * command or statement. `block`: some dozens of lines of one code block together. `passage`: a dozen lines of whatever kind.
 */
export type UnitKind = 'front' | 'prose' | 'code' | 'block' | 'passage'

/** A piece of a file that rules look at, normalised and in lower case. */
export type Unit = {
  kind: UnitKind
  text: string
  /** Where each line begins in `text`, and the 1-based number that it has in the file. */
  starts: readonly number[]
  numbers: readonly number[]
  /** How the text was hidden, in words; null when it stands there openly. */
  hidden: string | null
  /** Which groups of words of which rules are there; see `votesOf`. */
  votes: Uint8Array
  /** A line above says that what follows is a bad example. */
  badExample: boolean
  /** What stands before a command that is part of a sentence; empty for everything else. */
  lead: string
}

/** What to look for. All patterns are over normalised lower case, must be global and must need no more than linear time. */
export type Rule = {
  id: string
  category: ScanCategory
  severity: ScanFinding['severity']
  block: boolean
  /** A whole sentence for somebody who is no expert. */
  reason: string
  kinds: readonly UnitKind[]
  /** Beginnings of words, in groups: of each group one must be there, else the rule is not tried. */
  hints: readonly (readonly string[])[]
  /** The first is what the finding points at; the others must be found within `within` characters of it, in any order. */
  all: readonly RegExp[]
  within: number
  /** Makes it harmless when it is found within the same distance; its words count from their beginning. */
  unless: RegExp | null
  /** Finds names in what matched; when the file speaks of such a name on several other lines, it is only a caution. */
  ownName: RegExp | null
}

type Written = Pick<Rule, 'id' | 'severity' | 'reason' | 'all'> &
  Partial<Pick<Rule, 'block' | 'kinds' | 'within' | 'unless' | 'ownName' | 'category'>> & {
    /** Beginnings of words, with ` + ` between groups. */
    hints: string
  }

export const ANYWHERE: readonly UnitKind[] = ['front', 'prose', 'code']
export const WORDS: readonly UnitKind[] = ['front', 'prose']
export const CODE: readonly UnitKind[] = ['code']
export const BLOCKS: readonly UnitKind[] = ['block']
export const PASSAGES: readonly UnitKind[] = ['passage']

/** Rules of one family; they block when they are `high` or `critical` and do not say otherwise. */
export const rulesOf = (category: ScanCategory, rules: readonly Written[]): Rule[] =>
  rules.map(rule => ({
    category,
    block: rule.severity === 'critical' || rule.severity === 'high',
    kinds: ANYWHERE,
    within: 200,
    ownName: null,
    ...rule,
    unless: rule.unless ? new RegExp(`(?:(?<![a-z])|(?![a-z]))(?:${rule.unless.source})`, 'g') : null,
    hints: rule.hints.split(' + ').map(group => group.split(' ')),
  }))

/** A pattern made of parts that several rules share. */
export const pattern = (parts: TemplateStringsArray, ...shared: string[]): RegExp =>
  new RegExp(String.raw(parts, ...shared), 'g')
