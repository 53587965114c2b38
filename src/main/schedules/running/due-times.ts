import { nextInstants, type Rule } from '../next-instants.ts'

/** How far back a missed time is made up for, in ms. */
const REACH_MS = 7 * 86_400_000
/** A time that was met later than this counts as missed, in ms: three ticks. */
export const LATE_MS = 90_000
/** Missed instants that get a row each; earlier ones are only mentioned. */
const MOST_ROWS = 20

/**
 * Instants that are due, in order. `more`: there were earlier ones, which are too many or too long ago to list. `expired`: all
 * were longer ago than seven days; this is the first of them.
 */
type Due = { instants: number[]; more: boolean; expired?: number }

/** The newest instants of a rule after `from`, up to and including `to`, at most twenty of the last seven days. */
export function dueBetween(rule: Rule, zone: string, from: number, to: number): Due {
  const earliest = firstAfter(rule, zone, from)
  if (earliest === undefined || earliest > to) return { instants: [], more: false }
  const start = Math.max(from, to - REACH_MS)
  // A short look back first: a rule for each minute has ten thousand instants in a week.
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

/** The first instant of a rule after another one; undefined if nothing is left. */
export const firstAfter = (rule: Rule, zone: string, after: number): number | undefined =>
  nextInstants(rule, zone, new Date(after), 1)[0]?.getTime()

const HOUR = 3_600_000
const MOST_AT_ONCE = 64

function instantsIn(rule: Rule, zone: string, from: number, to: number): number[] {
  const found: number[] = []
  let after = from
  // Most looks find one instant, and each further one takes as long.
  for (let count = 2; ; count = Math.min(4 * count, MOST_AT_ONCE)) {
    const next = nextInstants(rule, zone, new Date(after), count).map(each => each.getTime())
    found.push(...next.filter(each => each <= to))
    const last = next.at(-1)
    if (next.length < count || last === undefined || last > to) return found
    after = last
  }
}
