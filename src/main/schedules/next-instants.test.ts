import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nextInstants, type Rule } from './next-instants.ts'
import { addDays, wallOf } from './wall-clock.ts'

const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Apia']
const DAYS = 400
const MINUTE = 60_000

const anInstant = fc
  .integer({ min: Date.UTC(2025, 0) / MINUTE, max: Date.UTC(2028, 0) / MINUTE })
  .map(at => new Date(at * MINUTE))
const aTime = fc.record({ hour: fc.integer({ min: 0, max: 23 }), minute: fc.integer({ min: 0, max: 59 }) })
const aZone = fc.constantFrom(...ZONES)

/** The local time as one number, for comparison. */
const shown = (at: number, zone: string) => {
  const { year, month, day, hour, minute } = wallOf(new Date(at), zone)
  return Date.UTC(year, month - 1, day, hour, minute)
}

/** The first instant at which the local time in a zone is at least `wall`, found by trying every minute. */
function firstInstant(wall: number, zone: string): number {
  const offsets = [-1, 1].map(days => shown(wall + days * 86_400_000, zone) - (wall + days * 86_400_000))
  let at = wall - Math.max(...offsets)
  while (shown(at, zone) < wall) at += MINUTE
  return at
}

describe('the next instants of a rule', () => {
  test('a daily time comes once each local day for 400 days, also where the clocks leap', () => {
    fc.assert(
      fc.property(aZone, aTime, anInstant, (zone, { hour, minute }, after) => {
        const rule: Rule = { kind: 'calendar', patterns: [`${minute} ${hour} * * *`] }
        const next = nextInstants(rule, zone, after, DAYS).map(each => each.getTime())
        const today = wallOf(after, zone)
        const expected = Array.from({ length: DAYS + 2 }, (_, index) => {
          const { year, month, day } = addDays(today, index - 1)
          return firstInstant(Date.UTC(year, month - 1, day, hour, minute), zone)
        })
        expect(next).toEqual(expected.filter(each => each > after.getTime()).slice(0, DAYS))
      }),
      { numRuns: 12 },
    )
  })

  test('they are strictly later than the instant given, in order, and the same when asked one by one', () => {
    const aRule: fc.Arbitrary<Rule> = fc.oneof(
      fc.record({
        kind: fc.constant('calendar' as const),
        patterns: fc.constantFrom(
          ['0 9 * * 1,4'],
          ['30 2 * * *', '15 2 * * *'],
          ['0 18 L * *'],
          ['0 9 31 * *'],
          ['0 14 * * 2#2'],
          ['0 8 13 * 5'],
        ),
      }),
      fc.record({
        kind: fc.constant('interval' as const),
        seconds: fc.integer({ min: 60, max: 1_000_000 }),
        from: anInstant.map(at => at.toISOString()),
      }),
    )
    fc.assert(
      fc.property(aRule, aZone, anInstant, (rule, zone, after) => {
        const next = nextInstants(rule, zone, after, 8)
        expect(next).toHaveLength(8)
        let last = after
        for (const each of next) {
          expect(each.getTime()).toBeGreaterThan(last.getTime())
          expect(nextInstants(rule, zone, last, 1)).toEqual([each])
          last = each
        }
      }),
      { numRuns: 60 },
    )
  })

  test.each([
    ['Europe/Berlin', '2026-03-29T02:30:00', '2026-03-29T01:00:00.000Z'],
    ['Europe/Berlin', '2026-10-25T02:30:00', '2026-10-25T00:30:00.000Z'],
    ['Australia/Lord_Howe', '2026-10-04T02:15:00', '2026-10-03T15:30:00.000Z'],
    ['America/New_York', '2026-03-08T02:00:00', '2026-03-08T07:00:00.000Z'],
    ['Asia/Kolkata', '2026-12-24T08:00:00', '2026-12-24T02:30:00.000Z'],
  ])('in %s the clock time %s is one instant', (zone, wall, at) => {
    const before = new Date('2026-01-01T00:00:00Z')
    expect(nextInstants({ kind: 'wall', wall }, zone, before, 3)).toEqual([new Date(at)])
    expect(nextInstants({ kind: 'wall', wall }, zone, new Date(at), 3)).toEqual([])
  })

  test('intervals count elapsed time through a change of the clocks', () => {
    const rule: Rule = { kind: 'interval', seconds: 7200, from: '2026-10-25T00:15:00.000Z' }
    expect(nextInstants(rule, 'Europe/Berlin', new Date(rule.from), 2)).toEqual([
      new Date('2026-10-25T02:15:00Z'),
      new Date('2026-10-25T04:15:00Z'),
    ])
  })

  test('days of the month come only in months that have them', () => {
    const rule: Rule = { kind: 'calendar', patterns: ['0 9 31 * *'] }
    const next = nextInstants(rule, 'Europe/Berlin', new Date('2026-01-31T12:00:00Z'), 3)
    expect(next.map(each => wallOf(each, 'Europe/Berlin').month)).toEqual([3, 5, 7])
  })
})
