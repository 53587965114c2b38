import type { Refusal } from '../../lib/expected-errors.ts'
import { neededTexts } from './needed-text.ts'
import { PatternProblem, type Branches, type Cursor, type PatternFacts } from './pattern-parts.ts'
import { readBranches, takeFlags } from './read-branches.ts'
import { writeCharacters, writeExpression } from './write-expression.ts'

/** A pattern that is ready to search with. */
export type SearchPattern = {
  /** For text in any language; composed characters are single (NFC). */
  expression: RegExp
  /** The same, faster, for text of English letters only. */
  english: RegExp
  /** It may match across lines, so it is searched for in whole files. */
  wholeFile: boolean
  /** It names carriage returns, which are otherwise no part of a line. */
  returns: boolean
  /** What every match contains; a file without it has no match. */
  needed: RegExp | undefined
  /** How constructs were read that others read differently. */
  notes: readonly string[]
}

/** Another way to read a pattern that has found nothing, and how to say so. */
export type OtherReading = { pattern: SearchPattern; because: string }

/**
 * Read a pattern of any usual dialect: JavaScript, PCRE, Python, ripgrep, grep. As in ripgrep, case counts only with a
 * capital letter. A pattern without a clear meaning is refused with the reason.
 */
export function readPattern(pattern: string): SearchPattern | Refusal {
  try {
    return read(pattern.normalize('NFC'), false)
  } catch (error) {
    if (error instanceof PatternProblem) return refusal(pattern, error)
    throw error
  }
}

/** What a pattern may have meant when it finds nothing as it is written: grep’s basic form, escaped angles, a frame. */
export function readOtherwise(pattern: string): OtherReading | undefined {
  try {
    if (/\\\||\\\{,?\d|(?:\]|\.|\\[dswDSW])\\\+(?!\\\+)/.test(pattern))
      return {
        pattern: read(asExtended(pattern.normalize('NFC')), false),
        because:
          'As it is written it matches nothing. In the basic form of grep, where \\| is “or” and \\+ repeats:',
      }
    if (/\\[<>]/.test(pattern))
      return {
        pattern: read(pattern.normalize('NFC'), true),
        because: 'With \\< and \\> as the ends of words it matches nothing. With the characters < and >:',
      }
    const framed = /^(?:\/(?<body>.+)\/(?<flags>[gimsuvxy]*)|(?<quote>["'`])(?<quoted>.+)\k<quote>)$/s.exec(
      pattern,
    )?.groups
    if (!framed) return undefined
    const flags = (framed['flags'] ?? '').replaceAll(/[^imsx]/g, '')
    return {
      pattern: read(
        `${flags === '' ? '' : `(?${flags})`}${framed['body'] ?? framed['quoted']}`.normalize('NFC'),
        false,
      ),
      because: `With the ${framed['quote'] === undefined ? 'slashes' : 'quotes'} around it the pattern matches nothing. Without them:`,
    }
  } catch (error) {
    if (!(error instanceof PatternProblem)) throw error
    return undefined
  }
}

function read(text: string, plainAngles: boolean): SearchPattern {
  const facts: PatternFacts = { cased: false, wholeFile: false, returns: false, notes: new Set() }
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

/** The groups that are referred to, by number; a group that does not exist cannot be. */
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
  const needed = neededTexts(branches)
  const compiled: Partial<Record<'all' | 'english', RegExp>> = {}
  const expressionFor = (letters: 'all' | 'english') =>
    (compiled[letters] ??= new RegExp(writeExpression(branches, letters, used), flags))
  // Hundreds of classes of Unicode take seconds to compile, which only the thread of a search may.
  return {
    get expression() {
      return expressionFor('all')
    },
    get english() {
      return expressionFor('english')
    },
    wholeFile,
    returns,
    needed: needed && new RegExp(needed.map(writeCharacters).join('|'), `${caseFlag}v`),
    notes: [...notes],
  }
}

function refusal(pattern: string, { message, maybeLiteral }: PatternProblem): Refusal {
  // After what is to be written a full stop would look like a part of it.
  const reason = /\.$|write \S+$/.test(message) ? message : `${message}.`
  if (!maybeLiteral) return { refused: `The pattern cannot be searched for. ${reason}` }
  const literal = pattern.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
  return {
    refused: `The pattern is not a valid regular expression. ${reason} To find these characters as they are, write ${literal}`,
  }
}

/** A basic pattern of grep as an extended one: there `\|`, `\(` and `\+` are operators, and `|`, `(` and `+` characters. */
function asExtended(pattern: string): string {
  return pattern.replaceAll(/\[\^?\]?(?:\[:\w+:\]|[^\]])*\]|\\.|[(){}|+?]/gs, found => {
    if (/^\\[(){}|+?]$/.test(found)) return found.slice(1)
    return found.length === 1 ? `\\${found}` : found
  })
}
