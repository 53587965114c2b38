import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Notice } from '../../shared/contract/app.ts'
import { PermissionRule } from '../../shared/contract/runs/permissions.ts'
import { refuseUnseen } from '../../shared/contract/seen.ts'
import { Fault } from '../../shared/rpc.ts'
import { readSmall, saveFile } from '../config/home.ts'
import { fileErrorCode, type Refusal } from '../lib/expected-errors.ts'
import { newId } from '../lib/ids.ts'
import { hashShown } from '../lib/shown-hash.ts'
import { MAX_RULES, readRules, writeRules, type ReadRules } from './rules-file.ts'

/** A rule before it has an id and a time. */
export type NewRule = Omit<PermissionRule, 'id' | 'at'>

/** The standing rules of a home folder. */
export type Rules = {
  readonly path: string
  /** The current rules, including manual edits of the file. */
  current(): readonly PermissionRule[]
  /** The reason why the file cannot be used in full, and what to do; undefined if it can. */
  problem(): string | undefined
  /** The problem found at startup, for the user. */
  readonly notices: readonly Notice[]
  /** Add rules, all or none. A new rule replaces an equal one. Refused if the file has a mistake. */
  add(rules: readonly NewRule[]): readonly PermissionRule[] | Refusal
  /** Remove a rule. Throws the Fault `not_found`, or `conflict` if it is not the rule that was shown. */
  remove(id: string, seen?: string): PermissionRule | Refusal
  /** Put a removed rule back. */
  restore(rule: PermissionRule): PermissionRule | Refusal
}

type Parts = {
  home: string
  now(): number
  /** Called after each change. `outside`: another program made it. */
  onChange(change: { outside: boolean; notice: Notice | undefined }): void
}

/** Open the file of rules. A missing file counts as empty. A file with a mistake is never overwritten. */
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

  /** Read the rules if the file has changed. */
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
    `${problem}: ${path}. Until you correct the file or move it away, it allows nothing and Talaria does not change it.`
  const noticeOf = (read: ReadRules): Notice | undefined => {
    const text = explain(read)
    return text === undefined
      ? undefined
      : {
          id: 'permissions-file',
          level: 'error',
          text: 'Some of your permission rules cannot be read.',
          fix: text,
        }
  }

  function save(
    change: (rules: readonly PermissionRule[]) => readonly PermissionRule[],
  ): Refusal | undefined {
    const read = fresh()
    const problem = explain(read)
    if (problem !== undefined) return { refused: problem }
    const rules = change(read.rules)
    if (rules.length > MAX_RULES) return { refused: `There can be at most ${MAX_RULES} rules.` }
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
      if (!rule) throw new Fault('not_found', 'This rule no longer exists.')
      if (seen !== undefined) refuseUnseen(seen, hashShown(rule), 'This rule')
      return save(rules => rules.filter(each => each.id !== id)) ?? rule
    },
    restore: rule => save(rules => [...rules.filter(each => each.id !== rule.id), rule]) ?? rule,
  }
}

/** The key of a rule. Rules with the same key are about the same calls. */
const subjectOf = ({ effect, tool, command, more, folder, site }: PermissionRule) =>
  JSON.stringify([effect, tool, command ?? null, more, folder, site ?? null])

/** A stamp that changes whenever the file does. */
function markOf(path: string): string {
  try {
    const { mtimeMs, ctimeMs, size, ino } = statSync(path)
    return `${mtimeMs} ${ctimeMs} ${size} ${ino}`
  } catch (error) {
    return fileErrorCode(error)
  }
}
