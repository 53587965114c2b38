import type { UsageSum } from '../../../../shared/contract/connections/network.ts'
import { formatCount, formatDuration } from '../../../ui/text/format-values.ts'

const dollars = (digits: number) =>
  new Intl.NumberFormat(undefined, {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: 2,
    maximumFractionDigits: digits,
  })
const cents = dollars(2)
const fractions = dollars(4)
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })

const HOUR_MS = 3_600_000

/** `3 h 5 min` from one hour upwards, otherwise as `formatDuration`. */
export function formatHours(ms: number): string {
  const minutes = Math.round((ms % HOUR_MS) / 60_000)
  if (ms < HOUR_MS) return ms === 0 ? '0 s' : formatDuration(ms)
  const [hours, rest] =
    minutes === 60 ? [Math.floor(ms / HOUR_MS) + 1, 0] : [Math.floor(ms / HOUR_MS), minutes]
  return rest === 0 ? `${formatCount(hours)} h` : `${formatCount(hours)} h ${rest} min`
}

/** Dollars with cents. Amounts below 10 cents get four digits; null means that the price is unknown. */
export const formatCost = (amount: number | null): string =>
  amount === null ? '–' : (amount > 0 && amount < 0.1 ? fractions : cents).format(amount)

/** A calendar day such as `2026-11-03`, as the user's locale writes it. */
export const formatIsoDay = (isoDay: string): string => day.format(Date.parse(isoDay))

export const formatDaySpan = (from: string, to: string): string =>
  from === to ? formatIsoDay(from) : day.formatRange(Date.parse(from), Date.parse(to))

export const measureNames = { tokens: 'Tokens', answers: 'Answers', time: 'Time', cost: 'Cost' } as const

export type Measure = keyof typeof measureNames

/** A slice of a bar and its colour. */
type Slice = { label: string; className: string; of: (sum: UsageSum) => number }

/** The slices of a bar from bottom to top, and the text for its value. */
export const measures: Record<Measure, { slices: readonly Slice[]; words: (value: number) => string }> = {
  tokens: {
    slices: [
      { label: 'From the cache', className: 'slice-cached', of: ({ cachedTokens }) => cachedTokens },
      {
        label: 'Newly read',
        className: 'slice-read',
        of: ({ promptTokens, cachedTokens }) => Math.max(0, promptTokens - cachedTokens),
      },
      { label: 'Written', className: 'slice-written', of: ({ outputTokens }) => outputTokens },
    ],
    words: value => `${formatCount(value)} tokens`,
  },
  answers: {
    slices: [{ label: 'Answers', className: 'slice-read', of: ({ answers }) => answers }],
    words: formatCount,
  },
  time: {
    slices: [{ label: 'Time', className: 'slice-read', of: ({ ms }) => ms }],
    words: formatHours,
  },
  cost: {
    slices: [{ label: 'Cost', className: 'slice-read', of: ({ costUsd }) => costUsd ?? 0 }],
    words: formatCost,
  },
}

/** The value of a bar: the sum of its slices. */
export const heightOf = (measure: Measure, sum: UsageSum): number =>
  measures[measure].slices.reduce((height, { of }) => height + of(sum), 0)

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

/** The total. The cost is null if every price is unknown. */
function sumOf(sums: readonly UsageSum[]): UsageSum {
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
