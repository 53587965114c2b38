import { nextInstants, type Rule } from '../next-instants.ts'

/** How far back missed times are caught up, in ms. */
const REACH_MS = 7 * 86_400_000
/** Delay after which a time counts as missed, in ms: three ticks. */
export const LATE_MS = 90_000
/** Maximum number of missed instants with a row each; earlier ones are only mentioned. */
const MOST_ROWS = 20

/**
 * Due instants, in order. `more`: there were earlier ones, too many or too old to list. `expired`: the first
 * instant, if all of them were more than seven days ago.
 */
type Due = { instants: number[]; more: boolean; expired?: number }

/** The newest instants of a rule after `from` and up to `to`, inclusive: at most twenty, from seven days. */
export function dueBetween(rule: Rule, zone: string, from: number, to: number): Due {
  const earliest = firstAfter(rule, zone, from)
  if (earliest === undefined || earliest > to) return { instants: [], more: false }
  const start = Math.max(from, to - REACH_MS)
  // Try a short period first: a rule for every minute has ten thousand instants in a week.
  for (const span of [HOUR, 6 * HOUR, 24 * HOUR, REACH_MS]) {
    const since = Math.max(start, to - span)
    const found = instantsIn(rule, zone, since, to)
    if (found.length < MOST_ROWS && since > start) continue
    const instants = found.slice(-MOST_ROWS)
    const [first] = instants
    if (first !== undefined) return { instants, more: earliest < first }
  }
  const second = firstAfter(rule, zone, earliest)
  return { instants: [], more: second !== undefined && second <= to, expired: earliest }
}

/** The first instant of a rule after `after`; undefined if the rule has ended. */
export const firstAfter = (rule: Rule, zone: string, after: number): number | undefined =>
  nextInstants(rule, zone, new Date(after), 1)[0]?.getTime()

const HOUR = 3_600_000
const MOST_AT_ONCE = 64

function instantsIn(rule: Rule, zone: string, from: number, to: number): number[] {
  const found: number[] = []
  let after = from
  // Most calls find one instant, and computing each further one takes as long.
  for (let count = 2; ; count = Math.min(4 * count, MOST_AT_ONCE)) {
    const next = nextInstants(rule, zone, new Date(after), count).map(each => each.getTime())
    found.push(...next.filter(each => each <= to))
    const last = next.at(-1)
    if (next.length < count || last === undefined || last > to) return found
    after = last
  }
}
