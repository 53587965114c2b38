import { either, row, type Rules } from './rules.ts'

/** One member of a list of named things, behind what `lead` says. */
export type Member = { body: string; isRequired: boolean }

/** Members that have no place of their own. */
export type Other = { body: string; min: number; max: number }

/**
 * Members in their order, of which those that are not required may be missing. `lead` stands before each and `separator`
 * between two; `other` is what may follow, from `min` to `max` times.
 *
 * Two rules a member: what can follow once something stands there, and what can follow behind the lead. So the lead is
 * written once, and the size grows with the number of members, not with that of their subsets.
 */
export function writeMembers(
  rules: Rules,
  members: readonly Member[],
  { lead = '', separator, other }: { lead?: string; separator: string; other?: Other | undefined },
): string {
  const next = row(separator, lead)
  // What can follow the lead; at the end there is nothing left but other members, if there may be any.
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
