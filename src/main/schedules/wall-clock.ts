/** The names of the months, starting with January. */
export const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const

/** The local date and time in a zone. `weekday` is 1 for Monday to 7 for Sunday. */
export type Wall = { year: number; month: number; day: number; hour: number; minute: number; weekday: number }

const formats = new Map<string, Intl.DateTimeFormat>()
const MOST_FORMATS = 100

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known) return known
  if (formats.size >= MOST_FORMATS) formats.clear()
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  })
  formats.set(zone, format)
  return format
}

/** Whether a zone is known by its IANA name, such as `Europe/Berlin`. Offsets do not count. */
export function isKnownZone(zone: string): boolean {
  if (/^[+-]/.test(zone)) return false
  try {
    formatOf(zone)
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** The local date and time in a zone at an instant. */
export function wallOf(instant: Date, zone: string): Wall {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const { year, month, day, hour, minute } = parts as Omit<Wall, 'weekday'>
  return { year, month, day, hour, minute, weekday: weekdayOf({ year, month, day }) }
}

type Day = { year: number; month: number; day: number }

/** The weekday of a day, from Monday (1) to Sunday (7). */
const weekdayOf = ({ year, month, day }: Day): number =>
  new Date(Date.UTC(year, month - 1, day)).getUTCDay() || 7

/** The day `days` days later; earlier if `days` is negative. */
export function addDays({ year, month, day }: Day, days: number): Day {
  const date = new Date(Date.UTC(year, month - 1, day + days))
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

/** The number of days from one day to another. */
export const daysBetween = (from: Day, to: Day): number =>
  (Date.UTC(to.year, to.month - 1, to.day) - Date.UTC(from.year, from.month - 1, from.day)) / 86_400_000

/** Whether the day exists in the calendar. */
export const isRealDay = ({ year, month, day }: Day) =>
  month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate()
