import type { ScheduleChoices, ScheduleRule } from '../../src/shared/contract/runs/schedules.ts'
import type { ScheduleRow } from '../../src/main/db/schedule-tables.ts'
import type { Store } from '../../src/main/db/store.ts'
import {
  openSchedules,
  type RunEnd,
  type SchedulerParts,
} from '../../src/main/schedules/running/open-schedules.ts'

// For tests: a scheduler with a manual clock, whose runs end when the test says so.

export const HOUR = 3_600_000
export const DAY = 24 * HOUR

const someChoices: ScheduleChoices = {
  name: 'Notes',
  task: 'Summarise my notes.',
  skills: [],
  folder: '/desk',
  modelId: 'builtin',
  mode: 'none',
  limits: { runTokens: null, runUsd: null, monthTokens: null, monthUsd: null },
  deliver: 'notification',
  notes: ['user', 'memory', 'project'],
  missed: 'latest',
  onBattery: 'run',
}

/** Store a schedule that is settled up to an instant. */
export function aSchedule(
  store: Pick<Store, 'schedules'>,
  at: number,
  given: Partial<Omit<ScheduleRow, 'choices'>> & { choices?: Partial<ScheduleChoices> } = {},
): ScheduleRow {
  const { choices, ...rest } = given
  const daily: ScheduleRule = { kind: 'calendar', patterns: ['0 8 * * *'] }
  const row: ScheduleRow = {
    id: 'schedule_1',
    words: 'every day at 8',
    rule: daily,
    zone: 'Europe/Berlin',
    grants: [],
    grantedFor: '',
    marks: [],
    paused: null,
    failures: 0,
    settledTo: at,
    createdAt: at,
    updatedAt: at,
    ...rest,
    choices: { ...someChoices, ...choices },
  }
  store.schedules.put(row)
  return row
}

export const DONE: RunEnd = { state: 'done', reason: '', text: '' }

type Given = Partial<Pick<SchedulerParts, 'obstacle' | 'perform' | 'zone'>>

/** A scheduler over a store, with its clock at an instant. */
export function aScheduler(store: Pick<Store, 'schedules'>, start: number, given: Given = {}) {
  let now = start
  const seen = {
    performed: [] as number[],
    told: [] as string[],
    ended: [] as string[],
    errors: [] as unknown[],
    awake: 0,
    dropped: [] as string[],
  }
  const scheduler = openSchedules({
    store: store.schedules,
    now: () => now,
    zone: given.zone ?? (() => 'Europe/Berlin'),
    obstacle: given.obstacle ?? (async () => undefined),
    async perform(work, signal) {
      seen.performed.push(work.run.planned)
      return given.perform ? await given.perform(work, signal) : DONE
    },
    keepAwake() {
      seen.awake++
      return () => void seen.awake--
    },
    dropChats: ids => void seen.dropped.push(...ids),
    changed() {},
    ended: (schedule, run) => void seen.ended.push(`${schedule.id} ${run.state}`),
    tell: text => void seen.told.push(text),
    report: error => void seen.errors.push(error),
  })
  return {
    ...scheduler,
    seen,
    get now() {
      return now
    },
    /** Set the clock, and let the scheduler check it and start what is due. */
    async at(time: number | string) {
      now = typeof time === 'number' ? time : Date.parse(time)
      scheduler.tick()
      await scheduler.idle()
    },
    /** Set the clock without letting the scheduler check it. */
    set(time: number | string) {
      now = typeof time === 'number' ? time : Date.parse(time)
    },
  }
}

/** The rows of a schedule, oldest first, one line each: the planned time in UTC, the state and the reason. */
export const rowsOf = (store: Pick<Store, 'schedules'>, id = 'schedule_1'): string[] =>
  store.schedules
    .history(id, { limit: 500 })
    .toReversed()
    .map(({ planned, kind, state, reason, more }) =>
      [new Date(planned).toISOString().slice(0, 16), kind, state, reason, more ? 'and earlier' : '']
        .filter(Boolean)
        .join(' '),
    )
