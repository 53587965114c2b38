import type { ScanCategory, ScanFinding } from '../../../shared/contract/learned/skills.ts'

/**
 * The kind of a unit. `front`: one field of the front matter. `prose`: one paragraph or list item. `code`:
 * one command or statement. `block`: some dozens of lines of one code block. `passage`: a dozen lines of any
 * kind.
 */
export type UnitKind = 'front' | 'prose' | 'code' | 'block' | 'passage'

/** Normalised lower-case text of a file that rules check. */
export type Unit = {
  kind: UnitKind
  text: string
  /** The offset of each line in `text`, and its 1-based line number in the file. */
  starts: readonly number[]
  numbers: readonly number[]
  /** The way in which the text was hidden, as text for the user; null if it was not. */
  hidden: string | null
  /** The matched word groups of each rule; see `votesOf`. */
  votes: Uint8Array
  /** An earlier line introduces a bad example. */
  badExample: boolean
  /** The words before a command in a sentence; otherwise empty. */
  lead: string
}

/** One rule. Patterns apply to normalised lower-case text, must be global and must run in linear time. */
export type Rule = {
  id: string
  category: ScanCategory
  severity: ScanFinding['severity']
  /** A full sentence for a non-expert. */
  reason: string
  kinds: readonly UnitKind[]
  /** Groups of word prefixes. The rule is tried only if every group has a match. */
  hints: readonly (readonly string[])[]
  /**
   * The finding points at the first match. Other matches must be within `within` characters of it, in any
   * order.
   */
  all: readonly RegExp[]
  within: number
  /** A match within that distance (at least 60) makes the text harmless. Words match from their start. */
  unless: RegExp | null
  /**
   * Finds names in the match. If several other lines of the file mention one of them, the finding is only a
   * caution.
   */
  ownName: RegExp | null
}

type Written = Pick<Rule, 'id' | 'severity' | 'reason' | 'all'> &
  Partial<Pick<Rule, 'kinds' | 'within' | 'unless' | 'ownName' | 'category'>> & {
    /** Word prefixes, with ` + ` between groups. */
    hints: string
  }

export const ANYWHERE: readonly UnitKind[] = ['front', 'prose', 'code']
export const WORDS: readonly UnitKind[] = ['front', 'prose']
export const CODE: readonly UnitKind[] = ['code']
export const BLOCKS: readonly UnitKind[] = ['block']
export const PASSAGES: readonly UnitKind[] = ['passage']

/** Make a family's rules. `critical` matches make a skill dangerous, `high` ones a caution, others a note. */
export const rulesOf = (category: ScanCategory, rules: readonly Written[]): Rule[] =>
  rules.map(rule => ({
    category,
    kinds: ANYWHERE,
    within: 200,
    ownName: null,
    ...rule,
    unless: rule.unless ? new RegExp(`(?:(?<![a-z])|(?![a-z]))(?:${rule.unless.source})`, 'g') : null,
    hints: rule.hints.split(' + ').map(group => group.split(' ')),
  }))

/** A pattern built from shared parts. */
export const pattern = (parts: TemplateStringsArray, ...shared: string[]): RegExp =>
  new RegExp(String.raw(parts, ...shared), 'g')
