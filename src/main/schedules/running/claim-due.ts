import type { ScheduleReason } from '../../../shared/contract/runs/schedules.ts'
import type { ScheduleRow, ScheduleStore } from '../../db/schedule-tables.ts'
import { dueBetween, firstAfter, LATE_MS } from './due-times.ts'

type Parts = {
  store: ScheduleStore
  now: number
  /** When this host started; what was missed before that was missed because it was off. */
  startedAt: number
  /** The next instant of each schedule as it is known, so that most looks at the clock compute nothing. */
  known: Map<string, Known>
}

/** The first instant after what is settled, as long as neither this nor the rule changes. */
type Known = { settledTo: number; updatedAt: number; at: number }

/**
 * Give every instant that is due its row: the latest one is claimed, once, and what was missed before it is skipped. Nothing
 * is claimed while a run of the same schedule is open. Returns whether anything changed.
 */
export function claimDue(parts: Parts): boolean {
  const busy = new Set(parts.store.open().map(({ scheduleId }) => scheduleId))
  let changed = false
  for (const schedule of parts.store.list()) {
    if (schedule.paused === null && claimOf(schedule, busy.has(schedule.id), parts)) changed = true
  }
  return changed
}

function claimOf(schedule: ScheduleRow, isBusy: boolean, { store, now, startedAt, known }: Parts): boolean {
  const { id, rule, zone, settledTo, updatedAt, choices } = schedule
  if (settledTo > now) {
    // The clock was set back. Instants that have a row already stay settled.
    store.put({ ...schedule, settledTo: now })
    return false
  }
  const last = known.get(id)
  if (last?.settledTo !== settledTo || last.updatedAt !== updatedAt)
    known.set(id, { settledTo, updatedAt, at: firstAfter(rule, zone, settledTo) ?? Infinity })
  if (known.get(id)!.at > now) return false
  const { instants, more, expired } = dueBetween(rule, zone, settledTo, now)
  const latest = instants.at(-1) ?? expired
  if (latest === undefined) return false
  const skip = (planned: number, reason: Exclude<ScheduleReason, '' | 'failed'>, extra = {}) =>
    store.addRun({
      scheduleId: id,
      planned,
      kind: 'planned',
      state: 'skipped',
      reason,
      text: reasonTexts[reason],
      endedAt: now,
      ...extra,
    })
  const whyMissed = (planned: number) => (planned < startedAt ? 'off' : 'asleep')
  const earlier = instants.slice(0, -1)
  for (const [at, planned] of earlier.entries())
    skip(planned, isBusy ? 'still_running' : whyMissed(planned), at === 0 ? { more } : {})
  const isLate = now - latest > LATE_MS
  const extra = earlier.length === 0 ? { more } : {}
  if (isBusy) skip(latest, 'still_running', extra)
  else if (expired !== undefined)
    skip(latest, whyMissed(latest), {
      ...extra,
      text: `${reasonTexts[whyMissed(latest)]} Talaria catches up only on runs missed within the last seven days.`,
    })
  else if (isLate && choices.missed === 'none') skip(latest, whyMissed(latest), extra)
  else
    store.addRun({
      scheduleId: id,
      planned: latest,
      kind: isLate ? 'late' : 'planned',
      state: 'claimed',
      ...extra,
    })
  // Last, so that a crash before it finds the same instants again; their rows make sure that none runs twice.
  store.put({ ...schedule, settledTo: latest })
  return true
}

/**
 * Settle what an earlier process left open. What ran is unknown. What was only claimed did nothing yet, so its instant is
 * found anew. Returns the runs that are unknown now.
 */
export function settleLeftOpen(store: ScheduleStore, now: number): { scheduleId: string; text: string }[] {
  const unknown = []
  for (const run of store.open()) {
    if (run.state === 'running') {
      unknown.push(store.changeRun(run.id, { state: 'unknown', text: UNKNOWN_TEXT, endedAt: now }))
    } else if (run.kind === 'now' || run.kind === 'trial') {
      const { off: text } = reasonTexts
      store.changeRun(run.id, { state: 'skipped', reason: 'off', text, endedAt: now })
    } else store.unclaim(run.id, run.planned - 1)
  }
  return unknown
}

/** Why a run did not happen, or did not end well, as a sentence for the person. */
export const reasonTexts: Record<Exclude<ScheduleReason, '' | 'failed'>, string> = {
  off: 'Talaria was not running at that time.',
  asleep: 'This computer was asleep at that time.',
  on_battery: 'This computer was running on battery, and the schedule needs mains power.',
  model_missing: 'Its model no longer exists. Choose another one for the schedule.',
  folder_gone: 'Its folder no longer exists. Choose another one for the schedule.',
  skill_missing: 'A skill that it uses no longer exists.',
  lock_on: 'The offline lock was on, and its model is on a server.',
  still_running: 'The run before it had not ended yet.',
  month_limit: 'It has reached its limit for this month.',
  run_limit: 'It reached the limit of one run.',
  stopped: 'It was stopped by you.',
  quit: 'Talaria quit while it was running.',
  removed: 'The schedule was deleted while it was running.',
  no_tools: 'It answered without checking anything: it used none of its tools.',
}

/** The text of a run whose process died. */
const UNKNOWN_TEXT =
  'Talaria quit during this run, so it is not known how far it got. It is not repeated automatically: look at its chat, and run it again if you want.'
