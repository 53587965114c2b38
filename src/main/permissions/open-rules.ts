import { statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Notice } from '../../shared/contract/app.ts'
import { OBEYED_FILES, PermissionRule } from '../../shared/contract/permissions.ts'
import { refuseUnseen } from '../../shared/contract/seen.ts'
import { Fault } from '../../shared/rpc.ts'
import { readSmall, saveFile } from '../config/home.ts'
import { fileErrorCode, type Refusal, parseJson } from '../lib/expected-errors.ts'
import { newId } from '../lib/ids.ts'
import { hashShown } from '../lib/shown-hash.ts'

/** A rule before it has an id and a time. */
export type NewRule = Omit<PermissionRule, 'id' | 'at'>

/** The standing rules of a home folder. */
export type Rules = {
  readonly path: string
  /** The rules that count now; manual edits of the file count at once. */
  current(): readonly PermissionRule[]
  /** Why the file cannot be used in full, with what to do; undefined when it can. */
  problem(): string | undefined
  /** The problem at the start, for the user. */
  readonly notices: readonly Notice[]
  /** Add rules, all or none. A rule for the same thing is replaced. Refused while the file has a mistake. */
  add(rules: readonly NewRule[]): readonly PermissionRule[] | Refusal
  /** Remove a rule; `not_found` is a Fault, and so is `conflict` if the rule has not the hash with which it was shown. */
  remove(id: string, seen?: string): PermissionRule | Refusal
  /** Put a removed rule back. */
  restore(rule: PermissionRule): PermissionRule | Refusal
}

type Parts = {
  home: string
  now(): number
  /** Called after each change; `outside`: by another program. */
  onChange(change: { outside: boolean; notice: Notice | undefined }): void
}

/** Open the file of rules. A missing file is an empty one; a file with a mistake is never written. */
export function openRules({ home, now, onChange }: Parts): Rules {
  const path = join(home, 'permissions.json')
  let mark = markOf(path)
  let known = load()

  function load(): ReadRules {
    try {
      const text = readSmall(path)
      return text === undefined ? { rules: [] } : readRules(text)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      return { rules: [], problem: error.message.replace(/\.$/, '') }
    }
  }

  /** The rules as the file has them now. */
  function fresh(): ReadRules {
    const found = markOf(path)
    if (found === mark) return known
    mark = found
    known = load()
    onChange({ outside: true, notice: noticeOf(known) })
    return known
  }

  const explain = ({ problem }: ReadRules) =>
    problem &&
    `${problem}: ${path}. Nothing is allowed by it, and it is not written, until you correct it or move it away.`
  const noticeOf = (read: ReadRules): Notice | undefined => {
    const text = explain(read)
    return text === undefined
      ? undefined
      : { id: 'permissions-file', level: 'error', text: 'The rules cannot be read in full.', fix: text }
  }

  function save(
    change: (rules: readonly PermissionRule[]) => readonly PermissionRule[],
  ): Refusal | undefined {
    const read = fresh()
    const problem = explain(read)
    if (problem !== undefined) return { refused: problem }
    const rules = change(read.rules)
    if (rules.length > MAX_RULES) return { refused: `There can be ${MAX_RULES} rules at most.` }
    try {
      saveFile(path, writeRules(rules), { mode: 0o600 })
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      return { refused: error.message }
    }
    mark = markOf(path)
    known = { rules }
    onChange({ outside: false, notice: undefined })
    return undefined
  }

  const first = noticeOf(known)
  return {
    path,
    current: () => fresh().rules,
    problem: () => explain(fresh()),
    notices: first ? [first] : [],
    add(given) {
      const added = given.map((rule): PermissionRule => ({ ...rule, id: newId('rule', now), at: now() }))
      const isReplaced = (rule: PermissionRule) => added.some(each => subjectOf(each) === subjectOf(rule))
      return save(rules => [...rules.filter(rule => !isReplaced(rule)), ...added]) ?? added
    },
    remove(id, seen) {
      const rule = fresh().rules.find(each => each.id === id)
      if (!rule) throw new Fault('not_found', 'This rule does not exist any more.')
      if (seen !== undefined) refuseUnseen(seen, hashShown(rule), 'This rule')
      return save(rules => rules.filter(each => each.id !== id)) ?? rule
    },
    restore: rule => save(rules => [...rules.filter(each => each.id !== rule.id), rule]) ?? rule,
  }
}

/** Two rules with the same subject say something about the same calls. */
const subjectOf = ({ effect, tool, command, more, folder }: PermissionRule) =>
  JSON.stringify([effect, tool, command ?? null, more, folder])

/** Changes whenever the file does. */
function markOf(path: string): string {
  try {
    const { mtimeMs, ctimeMs, size, ino } = statSync(path)
    return `${mtimeMs} ${ctimeMs} ${size} ${ino}`
  } catch (error) {
    return fileErrorCode(error)
  }
}

/**
 * Raised when rules change their form. Version 2 has rules about files that programs obey, which a Talaria that only knows version 1
 * would not hold to; so it refuses the file. A file without them stays in version 1.
 */
const RULES_VERSION = 2
/** Rules that one file may hold. */
const MAX_RULES = 500

const RulesFile = z.strictObject({
  version: z.union([z.literal(1), z.literal(RULES_VERSION)]),
  rules: z.array(z.unknown()),
})

/** What is in a file of rules. With a `problem`, `rules` are those that could be read, and none of them allows anything. */
export type ReadRules = { rules: readonly PermissionRule[]; problem?: string }

/**
 * Read the text of a file of rules. A mistake anywhere means that nothing is allowed, because a rule that was meant to
 * forbid may be the one that is lost; *never* and *ask* rules that can be read still count.
 */
export function readRules(text: string): ReadRules {
  const file = RulesFile.safeParse(parseJson(text))
  if (!file.success) return { rules: stricter(readLines(text)), problem: problemOf(text) }
  const read = file.data.rules.map(each => PermissionRule.safeParse(each))
  const rules = read.flatMap(each => (each.success ? [each.data] : []))
  const wrong = read.findIndex(each => !each.success)
  if (wrong >= 0)
    return { rules: stricter(rules), problem: `Rule ${wrong + 1} of ${read.length} cannot be read` }
  if (rules.length > MAX_RULES)
    return { rules: stricter(rules), problem: `It has more than ${MAX_RULES} rules` }
  return { rules }
}

const stricter = (rules: readonly PermissionRule[]) => rules.filter(rule => rule.effect !== 'allow')

/** Each rule is written on a line of its own, so that a mistake in one leaves the others readable. */
function readLines(text: string): PermissionRule[] {
  return text.split('\n').flatMap(line => {
    const rule = PermissionRule.safeParse(parseJson(line.trim().replace(/,$/, '')))
    return rule.success ? [rule.data] : []
  })
}

function problemOf(text: string): string {
  const version = z.looseObject({ version: z.number() }).safeParse(parseJson(text))
  return version.success && version.data.version > RULES_VERSION
    ? 'It was written by a newer Talaria'
    : 'It is not a list of rules'
}

/** The text of a file of rules. */
export const writeRules = (rules: readonly PermissionRule[]): string =>
  `{"version": ${rules.some(({ tool }) => tool === OBEYED_FILES) ? RULES_VERSION : 1}, "rules": [\n${rules.map(rule => JSON.stringify(rule)).join(',\n')}\n]}\n`
