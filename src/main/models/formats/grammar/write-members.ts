import { either, row, type Rules } from './gbnf-rules.ts'

/** One member of a list of named things, without its `lead`. */
export type Member = { body: string; isRequired: boolean }

/** Members that may come at any position after the named ones. */
export type Other = { body: string; min: number; max: number }

/**
 * Members in order; optional ones may be missing. `lead` precedes each member and `separator` comes between two.
 * `other` may follow, from `min` to `max` times. Each member gets two rules: what can follow a written member, and
 * what can follow the lead. So the lead is written once, and the size grows with the number of members, not with the
 * number of their subsets.
 */
export function writeMembers(
  rules: Rules,
  members: readonly Member[],
  { lead = '', separator, other }: { lead?: string; separator: string; other?: Other | undefined },
): string {
  const next = row(separator, lead)
  // What can follow the lead. After the last member only other members can, if any are allowed.
  let begun = other && other.max > 0 ? writeOthers(rules, next, other) : undefined
  let isOptional = !begun || other!.min === 0
  for (const { body, isRequired } of members.toReversed()) {
    const following = begun ? row(next, begun) : ''
    const here = row(body, following && isOptional ? rules.rule(`(${following})?`) : following)
    begun = rules.rule(either([here, ...(begun && !isRequired ? [begun] : [])]))
    isOptional &&= !isRequired
  }
  if (!begun) return ''
  return isOptional ? rules.rule(`(${row(lead, begun)})?`) : row(lead, begun)
}

function writeOthers(rules: Rules, next: string, { body, min, max }: Other): string {
  const one = rules.rule(body)
  return rules.rule(row(one, `${rules.rule(row(next, one))}{${Math.max(0, min - 1)},${max - 1}}`))
}
