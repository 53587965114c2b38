import { Cron } from 'croner'

/**
 * When a schedule happens, as it is stored beside an IANA zone. Instants are computed from it, never stored as the truth.
 *
 * - `at`: once, at this instant (ISO with Z).
 * - `wall`: once, when the clocks of the zone show this, such as `2026-12-24T08:00:00`.
 * - `interval`: each time that `seconds` have elapsed after `from`, an instant.
 * - `calendar`: whenever one of these cron patterns holds in the zone.
 */
export type Rule =
  | { kind: 'at'; at: string }
  | { kind: 'wall'; wall: string }
  | { kind: 'interval'; seconds: number; from: string }
  | { kind: 'calendar'; patterns: readonly string[] }

/**
 * The next instants of a rule strictly after one, in order, each once; at most `count`, none when nothing is left.
 * A time that the clocks of the zone skip is the first instant after the gap; one that comes twice is the first of the two.
 */
export function nextInstants(rule: Rule, zone: string, after: Date, count: number): Date[] {
  if (rule.kind === 'at') return new Date(rule.at) > after ? [new Date(rule.at)] : []
  if (rule.kind === 'interval') return intervalInstants(rule, after, count)
  const patterns = rule.kind === 'wall' ? [patternOf(rule.wall)] : rule.patterns
  const instants = patterns.flatMap(pattern =>
    openPattern(pattern, zone).nextRuns(rule.kind === 'wall' ? 1 : count, after),
  )
  // Two times of the day can fall on the same instant after a gap.
  const times = new Set(instants.map(each => each.getTime()))
  return [...times]
    .toSorted((a, b) => a - b)
    .slice(0, count)
    .map(time => new Date(time))
}

function intervalInstants(
  { seconds, from }: { seconds: number; from: string },
  after: Date,
  count: number,
): Date[] {
  const [step, start] = [seconds * 1000, Date.parse(from)]
  const passed = Math.max(0, Math.floor((after.getTime() - start) / step))
  return Array.from({ length: count }, (_, index) => new Date(start + (passed + 1 + index) * step))
}

/** A clock time of one day as a pattern with seconds and year. */
function patternOf(wall: string): string {
  const [year, month, day, hour, minute, second] = wall.split(/\D/).map(Number)
  return `${second} ${minute} ${hour} ${day} ${month} * ${year}`
}

/** A pattern of cron in a zone. Throws when it is none: rules are checked before they are stored. */
export const openPattern = (pattern: string, zone: string): Cron =>
  new Cron(pattern, {
    timezone: zone,
    mode: pattern.split(' ').length === 7 ? '7-part' : '5-part',
    paused: true,
  })
