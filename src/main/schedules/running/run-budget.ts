import type { Budget } from '../../agent/budget.ts'
import type { ScheduleRow } from '../../db/schedule-tables.ts'
import type { Store } from '../../db/store.ts'
import { wallOf } from '../wall-clock.ts'
import { nextInstants } from '../next-instants.ts'

/** The start and end of the month of an instant, in the zone of a schedule. */
function monthOf(now: number, zone: string): { from: number; to: number } {
  const { year, month } = wallOf(new Date(now), zone)
  const startOf = (y: number, m: number) => {
    const wall = new Date(Date.UTC(y, m - 1, 1)).toISOString().slice(0, 19)
    const before = new Date(Date.UTC(y, m - 1, 1) - 2 * 86_400_000)
    return nextInstants({ kind: 'wall', wall }, zone, before, 1)[0]!.getTime()
  }
  return { from: startOf(year, month), to: startOf(year, month + 1) }
}

/** Usage by the runs of a schedule this month, in the schedule's zone. */
export function usedThisMonth(
  { id, zone }: Pick<ScheduleRow, 'id' | 'zone'>,
  { schedules }: Pick<Store, 'schedules'>,
  now: number,
): { tokens: number; costUsd: number | null } {
  const { from, to } = monthOf(now, zone)
  return schedules.used(id, from, to)
}

/** Whether a schedule has used up its monthly limits. */
export function isMonthUsedUp(schedule: ScheduleRow, store: Pick<Store, 'schedules'>, now: number): boolean {
  const { monthTokens, monthUsd } = schedule.choices.limits
  if (monthTokens === null && monthUsd === null) return false
  const { tokens, costUsd } = usedThisMonth(schedule, store, now)
  return tokens >= (monthTokens ?? Infinity) || (costUsd ?? 0) >= (monthUsd ?? Infinity)
}

/** The budget of one run: its own limits, and the rest of the month's. */
export function createRunBudget(
  schedule: ScheduleRow,
  sessionId: string,
  store: Pick<Store, 'schedules' | 'usage'>,
  now: number,
): Budget & { spentText(): string } {
  const { runTokens, runUsd, monthTokens, monthUsd } = schedule.choices.limits
  const month = usedThisMonth(schedule, store, now)
  const least = (ofRun: number | null, ofMonth: number | null, used: number) =>
    Math.min(ofRun ?? Infinity, (ofMonth ?? Infinity) - used)
  const tokens = least(runTokens, monthTokens, month.tokens)
  const usd = least(runUsd, monthUsd, month.costUsd ?? 0)
  const used = { steps: 0, tokens: 0 }
  let spent = ''
  return {
    takeStep() {
      if (Number.isFinite(tokens) || Number.isFinite(usd)) {
        const { total } = store.usage.read({ sessionId })
        if (Math.max(used.tokens, total.promptTokens + total.outputTokens) >= tokens)
          spent = `It reached its limit of ${tokens.toLocaleString('en-US')} tokens.`
        else if ((total.costUsd ?? 0) >= usd) spent = `It reached its limit of $${usd.toFixed(2)}.`
      }
      if (spent !== '') return spent
      used.steps++
      return undefined
    },
    spend(count) {
      used.tokens += count
    },
    spentText: () => spent,
    used,
  }
}
