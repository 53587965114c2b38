import type { ScheduleReason } from '../../../shared/contract/runs/schedules.ts'
import type { ScheduleRow, ScheduleStore } from '../../db/schedule-tables.ts'
import { dueBetween, firstAfter, LATE_MS } from './due-times.ts'

type Parts = {
  store: ScheduleStore
  now: number
  /** When this host started. Instants before that were missed because it was off. */
  startedAt: number
  /** The next instant of each schedule, cached so that most checks compute nothing. */
  known: Map<string, Known>
}

/** The first instant after `settledTo`, valid while that and the rule stay the same. */
type Known = { settledTo: number; updatedAt: number; at: number }

/**
 * Store a row for every due instant: the latest is claimed once, and earlier, missed ones are skipped.
 * Nothing is claimed while a run of the same schedule is open. Returns whether anything changed.
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
    // The clock was set back. Instants that already have a row stay settled.
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
      text: `${reasonTexts[whyMissed(latest)]} Talaria only catches up on runs that it missed in the last seven days.`,
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
  // Stored last: after a crash the same instants are found again, and their rows prevent a second run.
  store.put({ ...schedule, settledTo: latest })
  return true
}

/**
 * Settle runs that an earlier process left open. The outcome of a started run is unknown. A claimed run had
 * not started, so its instant is found again. Returns the runs with an unknown outcome.
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

/** Why a run did not start, or did not end well, as a sentence for the user. */
export const reasonTexts: Record<Exclude<ScheduleReason, '' | 'failed'>, string> = {
  off: 'Talaria was not running at that time.',
  asleep: 'This computer was asleep at that time.',
  on_battery: 'This computer was on battery, and the schedule waits for mains power.',
  model_missing: 'Its model is no longer available. Choose another model for the schedule.',
  folder_gone: 'Its folder no longer exists. Choose another folder for the schedule.',
  skill_missing: 'A skill that it uses no longer exists.',
  lock_on: 'The offline lock was on, and its model is on a server.',
  still_running: 'The previous run had not ended yet.',
  month_limit: 'It has reached its limit for this month.',
  run_limit: 'It reached the limit of one run.',
  stopped: 'You stopped it.',
  quit: 'Talaria was quit while it ran.',
  removed: 'The schedule was deleted while it ran.',
  no_tools: 'It answered without looking at anything: it used none of its tools.',
}

/** The text for a run whose process died. */
const UNKNOWN_TEXT =
  'Talaria closed during the run, so it is unknown how far it got. The run is not repeated automatically: look at its chat, and run it again if you want to.'
