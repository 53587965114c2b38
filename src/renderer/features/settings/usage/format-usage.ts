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
