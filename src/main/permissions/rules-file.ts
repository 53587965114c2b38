import { z } from 'zod'
import { OBEYED_FILES, PermissionRule } from '../../shared/contract/permissions.ts'
import { parseJson } from '../lib/expected-errors.ts'

/**
 * Raised when rules change their form. Version 2 has rules about files that programs obey, which a Talaria that only knows version 1
 * would not hold to; version 3 has rules about sites. So an older one refuses the file. A file without them stays in version 1.
 */
const RULES_VERSION = 3

/** Rules that one file may hold. */
export const MAX_RULES = 500

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
  `{"version": ${versionOf(rules)}, "rules": [\n${rules.map(rule => JSON.stringify(rule)).join(',\n')}\n]}\n`

const versionOf = (rules: readonly PermissionRule[]): number =>
  rules.some(({ site }) => site !== undefined)
    ? RULES_VERSION
    : rules.some(({ tool }) => tool === OBEYED_FILES)
      ? 2
      : 1
