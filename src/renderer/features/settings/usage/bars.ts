import type { UsageSum } from '../../../../shared/contract/network.ts'

/** A local date such as `2026-11-21`. */
type Day = string
type DaySum = UsageSum & { day: Day }

/** Usage from one day to another, both inclusive. */
export type Bar = UsageSum & { from: Day; to: Day }

/** More bars than this are too narrow to distinguish. */
const MOST_DAYS = 92
const MOST_WEEKS = 750

const DAY_MS = 86_400_000
const two = (number: number) => String(number).padStart(2, '0')

/** The local date at a moment. */
export const localDay = (at: Date): Day =>
  `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`

/** Local midnight `daysAgo` calendar days earlier. Days of 23 or 25 hours count as one day. */
export function startOfDay(at: Date, daysAgo: number): Date {
  return new Date(at.getFullYear(), at.getMonth(), at.getDate() - daysAgo)
}

// Date arithmetic uses UTC, where every day has 24 hours.
const toMs = (day: Day) => Date.parse(`${day}T00:00:00Z`)
const toDay = (ms: number): Day => new Date(ms).toISOString().slice(0, 10)
const daysBetween = (from: Day, to: Day) => Math.round((toMs(to) - toMs(from)) / DAY_MS)

/** The last day of the week or month that contains a day. */
function lastOf(day: Day, unit: 'day' | 'week' | 'month'): Day {
  const date = new Date(toMs(day))
  if (unit === 'month') return toDay(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0))
  // Weeks end on Sunday.
  return unit === 'week' ? toDay(toMs(day) + ((7 - date.getUTCDay()) % 7) * DAY_MS) : day
}

/** Sums by day, week or month from the first day to the last, without gaps. */
export function barsOf(days: readonly DaySum[], first: Day, last: Day): Bar[] {
  const span = daysBetween(first, last) + 1
  const unit = span <= MOST_DAYS ? 'day' : span <= MOST_WEEKS ? 'week' : 'month'
  const bars: Bar[] = []
  for (let from = first; from <= last;) {
    const end = lastOf(from, unit)
    const to = end < last ? end : last
    bars.push({ ...sumOf(days.filter(({ day }) => day >= from && day <= to)), from, to })
    from = toDay(toMs(to) + DAY_MS)
  }
  return bars
}

/** The total. The cost is null when every price is unknown. */
export function sumOf(sums: readonly UsageSum[]): UsageSum {
  const add = (read: (sum: UsageSum) => number) => sums.reduce((total, each) => total + read(each), 0)
  const isPriced = sums.some(({ costUsd }) => costUsd !== null)
  return {
    answers: add(({ answers }) => answers),
    promptTokens: add(({ promptTokens }) => promptTokens),
    cachedTokens: add(({ cachedTokens }) => cachedTokens),
    outputTokens: add(({ outputTokens }) => outputTokens),
    ms: add(({ ms }) => ms),
    costUsd: isPriced ? add(({ costUsd }) => costUsd ?? 0) : null,
  }
}
