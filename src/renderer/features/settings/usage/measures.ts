import type { UsageSum } from '../../../../shared/contract/network.ts'
import { formatCount, formatDuration } from '../../../ui/format.ts'

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
