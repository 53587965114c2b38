import { Cron } from 'croner'
import { wallOf } from './wall-clock.ts'

/** Every `count` days or weeks, counted from a day such as `2026-12-01`. Weeks begin on Monday. */
export type Cycle = { unit: 'day' | 'week'; count: number; from: string }

/** The earliest and the latest possible instant, both inclusive (ISO with Z). */
type Bounds = { from?: string | undefined; until?: string | undefined }

/**
 * When a schedule runs, stored together with an IANA zone. Instants are computed from it and never stored as
 * the truth.
 *
 * - `at`: once, at this instant (ISO with Z).
 * - `wall`: once, when clocks in the zone show this time, such as `2026-12-24T08:00:00`.
 * - `interval`: every `seconds` after the instant `from`.
 * - `calendar`: whenever one of these cron patterns matches in the zone, on days of `cycle` if given.
 */
export type Rule =
  | { kind: 'at'; at: string }
  | { kind: 'wall'; wall: string }
  | { kind: 'interval'; seconds: number; from: string; until?: string | undefined }
  | ({ kind: 'calendar'; patterns: readonly string[]; cycle?: Cycle | undefined } & Bounds)

/**
 * The next instants of a rule strictly after `after`, in order, without duplicates; at most `count`, none if
 * the rule has ended. A local time that the clocks skip becomes the first instant after the gap. Of a
 * repeated time the first is taken.
 */
export function nextInstants(rule: Rule, zone: string, after: Date, count: number): Date[] {
  if (rule.kind === 'at') return new Date(rule.at) > after ? [new Date(rule.at)] : []
  if (rule.kind === 'wall') return instantsOf([patternOf(rule.wall)], zone, after, 1)
  const ends = rule.until === undefined ? Infinity : Date.parse(rule.until)
  const found =
    rule.kind === 'interval'
      ? intervalInstants(rule, after, count)
      : calendarInstants(rule, zone, after, count)
  return found.filter(each => each.getTime() <= ends)
}

/** Maximum number of batches to search for days of a cycle; an invalid cycle has none. */
const MOST_LOOKS = 400

function calendarInstants(
  { patterns, cycle, from, until }: Extract<Rule, { kind: 'calendar' }>,
  zone: string,
  after: Date,
  count: number,
): Date[] {
  let at = from === undefined ? after : new Date(Math.max(after.getTime(), Date.parse(from) - 1))
  if (!cycle) return instantsOf(patterns, zone, at, count)
  const found: Date[] = []
  for (let look = 0; look < MOST_LOOKS && found.length < count; look++) {
    const batch = instantsOf(patterns, zone, at, Math.max(count, 10))
    found.push(...batch.filter(each => isInCycle(each, cycle, zone)))
    if (batch.length === 0 || (until !== undefined && batch.at(-1)! > new Date(until))) break
    at = batch.at(-1)!
  }
  return found.slice(0, count)
}

/** The number of days since 1970. 1 January 1970 was a Thursday. */
const dayNumber = ({ year, month, day }: { year: number; month: number; day: number }) =>
  Date.UTC(year, month - 1, day) / 86_400_000

function isInCycle(instant: Date, { unit, count, from }: Cycle, zone: string): boolean {
  const [year = 0, month = 0, day = 0] = from.split('-').map(Number)
  const numbers = [wallOf(instant, zone), { year, month, day }].map(each =>
    unit === 'day' ? dayNumber(each) : Math.floor((dayNumber(each) + 3) / 7),
  )
  return (numbers[0]! - numbers[1]!) % count === 0
}

function instantsOf(patterns: readonly string[], zone: string, after: Date, count: number): Date[] {
  // After a gap, two times of the day can fall on the same instant.
  const times = new Set(
    patterns.flatMap(pattern =>
      openPattern(pattern, zone)
        .nextRuns(count, after)
        .map(each => each.getTime()),
    ),
  )
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

/** A single local time as a cron pattern with seconds and year. */
function patternOf(wall: string): string {
  const [year, month, day, hour, minute, second] = wall.split(/\D/).map(Number)
  return `${second} ${minute} ${hour} ${day} ${month} * ${year}`
}

/** Open a cron pattern in a zone. Throws if it is invalid; rules are checked before they are stored. */
export const openPattern = (pattern: string, zone: string): Cron =>
  new Cron(pattern, {
    timezone: zone,
    mode: pattern.split(' ').length === 7 ? '7-part' : '5-part',
    paused: true,
  })
