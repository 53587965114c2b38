import { z } from 'zod'
import { OBEYED_FILES, PermissionRule } from '../../shared/contract/runs/permissions.ts'
import { parseJson } from '../lib/expected-errors.ts'

/**
 * Raised when rules change their form. Version 2 has rules about files that programs obey, which a Talaria that only knows version 1
 * would not hold to; version 3 has rules about sites. So an older one refuses the file. A file without them stays in version 1.
 */
const RULES_VERSION = 3

/** Rules that one file may hold. */
export const MAX_RULES = 500
/** Rules that are read of a file with too many, so that one full of something else holds nothing up. */
const MOST_READ = 4 * MAX_RULES

const RulesFile = z.strictObject({
  version: z.union([z.literal(1), z.literal(2), z.literal(RULES_VERSION)]),
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

/** Each rule is written on a line of its own, so that a mistake in one leaves the others readable. */
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

/** The text of a file of rules. */
export const writeRules = (rules: readonly PermissionRule[]): string =>
  `{"version": ${versionOf(rules)}, "rules": [\n${rules.map(rule => JSON.stringify(rule)).join(',\n')}\n]}\n`

const versionOf = (rules: readonly PermissionRule[]): number =>
  rules.some(({ site }) => site !== undefined)
    ? RULES_VERSION
    : rules.some(({ tool }) => tool === OBEYED_FILES)
      ? 2
      : 1
