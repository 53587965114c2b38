import { z } from 'zod'
import { OBEYED_FILES, PermissionRule } from '../../shared/contract/runs/permissions.ts'
import { parseJson } from '../lib/expected-errors.ts'

/**
 * Raised if the form of rules changes, so that an older Talaria refuses the file. Version 2 added rules about
 * obeyed files, which an older Talaria would not follow; version 3 added rules about websites. A file without
 * these stays in version 1.
 */
const RULES_VERSION = 3

/** Maximum number of rules in one file. */
export const MAX_RULES = 500
/** Maximum number of rules read from a file with too many, so that a huge file cannot block the host. */
const MOST_READ = 4 * MAX_RULES

const RulesFile = z.strictObject({
  version: z.union([z.literal(1), z.literal(2), z.literal(RULES_VERSION)]),
  rules: z.array(z.unknown()),
})

/** The content of a rules file. With a `problem`, `rules` are the readable ones, and none allows anything. */
export type ReadRules = { rules: readonly PermissionRule[]; problem?: string }

/**
 * Read the text of a rules file. With a mistake anywhere, nothing is allowed, because the mistake may be in a
 * rule that forbids. *never* and *ask* rules that can be read still count.
 */
export function readRules(text: string): ReadRules {
  const file = RulesFile.safeParse(parseJson(text))
  if (!file.success) return { rules: stricter(readLines(text)), problem: problemOf(text) }
  const given = file.data.rules
  const read = given.slice(0, MOST_READ).map(each => PermissionRule.safeParse(each))
  const rules = read.flatMap(each => (each.success ? [each.data] : []))
  const wrong = read.findIndex(each => !each.success)
  if (wrong >= 0)
    return { rules: stricter(rules), problem: `Rule ${wrong + 1} of ${given.length} cannot be read` }
  if (given.length > MAX_RULES)
    return { rules: stricter(rules), problem: `The file has more than ${MAX_RULES} rules` }
  return { rules }
}

const stricter = (rules: readonly PermissionRule[]) => rules.filter(rule => rule.effect !== 'allow')

/** Read the rules line by line, so that a mistake in one leaves the others readable. */
function readLines(text: string): PermissionRule[] {
  const lines = text.split('\n').map(line => line.trim())
  return lines
    .filter(line => line.startsWith('{'))
    .slice(0, MOST_READ)
    .flatMap(line => {
      const rule = PermissionRule.safeParse(parseJson(line.replace(/,$/, '')))
      return rule.success ? [rule.data] : []
    })
}

function problemOf(text: string): string {
  const version = z.looseObject({ version: z.number() }).safeParse(parseJson(text))
  return version.success && version.data.version > RULES_VERSION
    ? 'A newer Talaria wrote the file'
    : 'The file is not a list of rules'
}

/** Write rules as the text of a file. */
export const writeRules = (rules: readonly PermissionRule[]): string =>
  `{"version": ${versionOf(rules)}, "rules": [\n${rules.map(rule => JSON.stringify(rule)).join(',\n')}\n]}\n`

const versionOf = (rules: readonly PermissionRule[]): number =>
  rules.some(({ site }) => site !== undefined)
    ? RULES_VERSION
    : rules.some(({ tool }) => tool === OBEYED_FILES)
      ? 2
      : 1
