import type { Refusal } from '../../../lib/expected-errors.ts'
import { maybeDigit, neededTexts, needsDigit } from './needed-text.ts'
import { PatternProblem, type Branches, type Cursor, type PatternFacts } from './pattern-parts.ts'
import { readBranches, takeFlags } from './read-branches.ts'
import { writeCharacters, writeExpression } from './write-expression.ts'

/** A pattern that is ready to use in a search. */
export type SearchPattern = {
  /** For text in any language; composed characters are single (NFC). */
  expression: RegExp
  /** The same pattern for text of English letters only, which is faster. */
  english: RegExp
  /** The pattern may match across lines, so whole files are searched. */
  wholeFile: boolean
  /** The pattern names carriage returns, which otherwise do not belong to a line. */
  returns: boolean
  /** Matches a text that every match contains. Without it, a file has no match. */
  needed: RegExp | undefined
  /** Notes on how ambiguous constructs were read. */
  notes: readonly string[]
}

/** Maximum length of a pattern; real ones are shorter, and reading 100,000 brackets takes seconds. */
const MOST_LETTERS = 4_000

/**
 * Read a pattern in any common dialect: JavaScript, PCRE, Python, ripgrep, grep. As in ripgrep, case counts
 * only if there is a capital letter. A pattern without a clear meaning is refused with the reason.
 */
export function readPattern(pattern: string): SearchPattern | Refusal {
  if (pattern.length > MOST_LETTERS)
    return { refused: `The pattern is longer than ${MOST_LETTERS} letters. Search for a shorter part of it.` }
  try {
    return readWith(pattern)
  } catch (error) {
    if (error instanceof PatternProblem) return refusal(pattern, error)
    throw error
  }
}

/** Read a pattern with given options. Throws if its meaning is not clear. */
export function readWith(pattern: string, { plainAngles = false, wholeFile = false } = {}): SearchPattern {
  const text = pattern.normalize('NFC')
  const facts: PatternFacts = { cased: false, wholeFile, returns: false, notes: new Set() }
  const flags = { dotAll: false, spaced: false, ascii: false, lines: true }
  const cursor: Cursor = {
    text,
    at: 0,
    flags,
    plainAngles,
    groups: 0,
    names: new Map(),
    references: [],
    inLookbehind: false,
    facts,
  }
  let ignored: boolean | undefined
  if (text.startsWith('\\v') && text.length > 2) {
    cursor.at = 2
    facts.notes.add('\\v at the start was read as the sign of vim that what follows is an extended pattern')
  }
  for (let each = takeFlags(cursor, ')'); each; each = takeFlags(cursor, ')'))
    ignored = each.ignored ?? ignored
  const branches = readBranches(cursor)
  if (cursor.at < text.length) throw new PatternProblem('A ) has no (', { maybeLiteral: true })
  return compile(branches, usedGroups(cursor), { ...facts, ignoreCase: ignored ?? !facts.cased })
}

/** The numbers of the groups that are referred to. A reference to a missing group is an error. */
function usedGroups({ references, names, groups }: Cursor): Set<number> {
  const used = new Set<number>()
  for (const { part, name } of references) {
    const index = names.get(name) ?? (/^\d+$/.test(name) ? Number(name) : 0)
    if (index < 1 || index > groups)
      throw new PatternProblem(`It refers to a group ${name.slice(0, 40)} that it does not have.`)
    part.index = index
    used.add(index)
  }
  return used
}

function compile(
  branches: Branches,
  used: ReadonlySet<number>,
  { wholeFile, returns, notes, ignoreCase }: PatternFacts & { ignoreCase: boolean },
): SearchPattern {
  const caseFlag = ignoreCase ? 'i' : ''
  const flags = `${wholeFile ? 'gm' : ''}${caseFlag}v`
  const texts = neededTexts(branches)
  const needed = texts && new RegExp(texts.map(writeCharacters).join('|'), `${caseFlag}v`)
  const withDigit = needed === undefined && needsDigit(branches)
  const compiled: Partial<Record<'all' | 'english', RegExp>> = {}
  const expressionFor = (letters: 'all' | 'english') =>
    (compiled[letters] ??= new RegExp(writeExpression(branches, letters, used), flags))
  // Compiling hundreds of Unicode classes takes seconds, so leave it to the thread of the search.
  return {
    get expression() {
      return expressionFor('all')
    },
    get english() {
      return expressionFor('english')
    },
    wholeFile,
    returns,
    get needed() {
      return withDigit ? maybeDigit() : needed
    },
    notes: [...notes],
  }
}

function refusal(pattern: string, { message, maybeLiteral }: PatternProblem): Refusal {
  // After a suggestion, a full stop would look like part of it.
  const reason = /\.$|write \S+$/.test(message) ? message : `${message}.`
  if (!maybeLiteral) return { refused: `The pattern cannot be searched for. ${reason}` }
  return {
    refused: `The pattern is not a valid regular expression. ${reason} To find these characters as they are, write ${asLiteral(pattern)}`,
  }
}

/** Escape a text so that it matches literally. */
export const asLiteral = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
