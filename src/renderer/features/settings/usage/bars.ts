import type { UsageSum } from '../../../../shared/contract/usage.ts'

/** A local day as `2026-11-21`. */
type Day = string
type DaySum = UsageSum & { day: Day }

/** What was used from one day to another, both included. */
export type Bar = UsageSum & { from: Day; to: Day }

/** More bars than this cannot be told apart. */
const MOST_DAYS = 92
const MOST_WEEKS = 750

const DAY_MS = 86_400_000
const two = (number: number) => String(number).padStart(2, '0')

/** The day that it is at a moment, where the person is. */
export const localDay = (at: Date): Day =>
  `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`

/** The first moment of the day so many days before another, where the person is; days with 23 hours count as days. */
export function startOfDay(at: Date, daysAgo: number): Date {
  return new Date(at.getFullYear(), at.getMonth(), at.getDate() - daysAgo)
}

// Days are counted in UTC, where each of them has 24 hours.
const toMs = (day: Day) => Date.parse(`${day}T00:00:00Z`)
const toDay = (ms: number): Day => new Date(ms).toISOString().slice(0, 10)
const daysBetween = (from: Day, to: Day) => Math.round((toMs(to) - toMs(from)) / DAY_MS)

/** The last day of the week or month that a day is in. */
function lastOf(day: Day, unit: 'day' | 'week' | 'month'): Day {
  const date = new Date(toMs(day))
  if (unit === 'month') return toDay(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0))
  // Weeks end on Sunday.
  return unit === 'week' ? toDay(toMs(day) + ((7 - date.getUTCDay()) % 7) * DAY_MS) : day
}

/** Sums of a day, a week or a month each, without gaps, from the first day to the last. */
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

/** All together; the cost is null where no price is known of any. */
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
