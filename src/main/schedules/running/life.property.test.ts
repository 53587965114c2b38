import Database from 'better-sqlite3'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countCases } from '../../../../testing/count-cases.ts'
import { aSchedule, aScheduler, DAY, HOUR } from '../../../../testing/schedules/a-scheduler.ts'
import { prepareConnection } from '../../db/connection.ts'
import { migrateDatabase } from '../../db/file/migrate.ts'
import { createScheduleStore } from '../../db/schedule-tables.ts'
import { dueBetween } from './due-times.ts'
import { nextInstants, type Rule } from '../next-instants.ts'
import { wallOf } from '../wall-clock.ts'

// 400 days of a schedule: the clock runs, jumps and goes back, the computer sleeps, the process dies.

const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Apia']
const DAYS = 400
const TICK = 30_000

const aRule = fc.constantFrom<Rule>(
  { kind: 'calendar', patterns: ['30 2 * * *'] },
  { kind: 'calendar', patterns: ['0 8 * * *'] },
  { kind: 'calendar', patterns: ['15 0 * * 1-5', '45 23 * * 6'] },
  { kind: 'calendar', patterns: ['0 9 31 * *'] },
  { kind: 'calendar', patterns: ['0 7,19 * * *'] },
  { kind: 'interval', seconds: 36 * 3_600, from: '2026-01-01T00:10:00Z' },
)

type Step =
  | { kind: 'awake'; days: number }
  | { kind: 'asleep'; ms: number }
  | { kind: 'back'; ms: number }
  | { kind: 'ahead and back' }
  | { kind: 'crash'; ms: number }
  | { kind: 'crash in a run' }

const aStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('awake' as const), days: fc.integer({ min: 1, max: 30 }) }),
  },
  fc.record({
    kind: fc.constantFrom('asleep' as const, 'crash' as const),
    ms: fc.integer({ min: HOUR / 2, max: 9 * DAY }),
  }),
  fc.record({ kind: fc.constant('back' as const), ms: fc.integer({ min: 1000, max: 2 * HOUR }) }),
  fc.constant<Step>({ kind: 'ahead and back' }),
  fc.constant<Step>({ kind: 'crash in a run' }),
)

const aStart = fc
  .integer({ min: 0, max: 364 * 24 })
  .map(hour => Date.parse('2026-01-01T00:00:00Z') + hour * HOUR)

function aLife(zone: string, rule: Rule, start: number) {
  const db = new Database(':memory:')
  const connection = prepareConnection(db)
  migrateDatabase(connection, '', start)
  const store = { schedules: createScheduleStore(connection) }
  aSchedule(store, start, { rule, zone })
  const performed: number[] = []
  const opened = (at: number, perform?: () => Promise<never>) => {
    const scheduler = aScheduler(store, at, { zone: () => zone, ...(perform && { perform }) })
    scheduler.seen.performed = performed
    return scheduler
  }
  return { store, performed, opened, close: () => db.close() }
}

test('in 400 days of leaps, sleep and crashes no instant runs twice, and each that somebody was awake for runs once', async () => {
  const cases = countCases<'met awake' | 'made up' | Step['kind']>()
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...ZONES),
      aRule,
      aStart,
      fc.array(aStep, { minLength: 15, maxLength: 40 }),
      async (zone, rule, start, steps) => {
        const { store, performed, opened, close } = aLife(zone, rule, start)
        let now = start
        let clock = opened(now)
        /** Instants at which a process was awake and free; none of them may be lost. */
        const met = new Set<number>()
        let latest = start
        const lookAt = async (to: number) => {
          // Nothing happens between two instants, so ticks are needed only around them.
          for (const instant of instantsIn(rule, zone, now, to)) {
            await clock.at(instant - 1)
            const late = Math.min(instant + TICK, to)
            await clock.at(late)
            await clock.at(late)
            if (instant > latest) {
              met.add(instant)
              cases.met('met awake')
            }
          }
          now = to
          latest = Math.max(latest, now)
          await clock.at(now)
        }
        for (const step of steps) {
          if (now - start > DAYS * DAY) break
          cases.met(step.kind)
          if (step.kind === 'awake') await lookAt(now + step.days * DAY)
          else if (step.kind === 'back') await clock.at((now -= step.ms))
          else if (step.kind === 'ahead and back') {
            // Instants of a false future may run once; the true time then continues from where it was.
            await clock.at(now + 365 * DAY)
            await clock.at(now)
            latest = now
          } else if (step.kind === 'crash in a run') {
            await clock.close()
            const dying = opened(now, () => new Promise(() => {}))
            const instant = nextInstants(rule, zone, new Date(now), 1)[0]?.getTime()
            if (instant === undefined) continue
            dying.set((now = instant + 1000))
            dying.tick()
            for (let turn = 0; turn < 20; turn++) await Promise.resolve()
            clock = opened((now += 60_000))
            latest = Math.max(latest, now)
            await clock.at(now)
          } else {
            if (step.kind === 'crash') await clock.close()
            const before = performed.length
            now += step.ms
            if (step.kind === 'crash') clock = opened(now)
            await clock.at(now)
            if (performed.length > before) cases.met('made up')
            expect(performed.length - before).toBeLessThanOrEqual(1)
            latest = Math.max(latest, now)
          }
        }
        await clock.close()
        expect(clock.seen.errors).toEqual([])
        expect(new Set(performed).size).toBe(performed.length)
        const ran = new Set(performed)
        expect([...met].filter(instant => !ran.has(instant)).map(at => new Date(at).toISOString())).toEqual(
          [],
        )
        expect(store.schedules.open()).toEqual([])
        close()
      },
    ),
    { numRuns: 4, endOnFailure: true },
  )
  cases.atLeast({
    'met awake': 200,
    'made up': 2,
    back: 2,
    'ahead and back': 2,
    crash: 2,
    asleep: 2,
    'crash in a run': 2,
    awake: 20,
  })
})

test('a daily time is due once on each local day of 400, in each zone, however the looks at the clock fall', () => {
  for (const zone of ZONES) {
    const start = Date.parse('2026-02-01T12:00:00Z')
    const rule: Rule = { kind: 'calendar', patterns: ['30 2 * * *'] }
    const days: string[] = []
    let settled = start
    for (let at = start; at <= start + DAYS * DAY; at += 7 * HOUR + 1) {
      for (const instant of dueBetween(rule, zone, settled, at).instants) {
        const { year, month, day } = wallOf(new Date(instant), zone)
        days.push(`${year}-${month}-${day}`)
        settled = instant
      }
    }
    expect(new Set(days).size).toBe(days.length)
    expect(days.length).toBeGreaterThanOrEqual(DAYS - 1)
  }
})

function instantsIn(rule: Rule, zone: string, from: number, to: number): number[] {
  const found: number[] = []
  for (;;) {
    const next = nextInstants(rule, zone, new Date(found.at(-1) ?? from), 50).map(each => each.getTime())
    found.push(...next.filter(each => each <= to))
    if (next.length === 0 || next.at(-1)! > to) return found
  }
}
