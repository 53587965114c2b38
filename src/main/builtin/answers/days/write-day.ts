import { many } from '../../../../shared/text/amounts.ts'
import { daysBetween, MONTHS, type Wall } from '../../../schedules/wall-clock.ts'
import type { Day } from './read-day.ts'

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** The number of a weekday, from Monday (1) to Sunday (7). */
export function weekdayOf(day: Day): number {
  // 1 January 2024 was a Monday.
  const since = daysBetween({ year: 2024, month: 1, day: 1 }, day)
  return (((since % 7) + 7) % 7) + 1
}

/** The name of a day's weekday. */
export const nameWeekday = (day: Day): string => WEEKDAYS[weekdayOf(day) - 1]!

/** The name of a month. */
export const nameMonth = (month: number): string => MONTHS[month - 1] ?? ''

/** The number of a month, given its name or the first letters of it. */
export function readMonth(text: string): number | undefined {
  const at = text.length < 3 ? -1 : MONTHS.findIndex(month => month.toLowerCase().startsWith(text))
  return at === -1 ? undefined : at + 1
}

/** Write a day in words: Thursday, 24 December 2026. */
export const writeDay = (day: Day): string =>
  `${nameWeekday(day)}, ${day.day} ${nameMonth(day.month)} ${day.year}`

/** Write a time as clocks show it. */
export const writeTime = ({ hour, minute }: Pick<Wall, 'hour' | 'minute'>): string =>
  `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`

/** Write a number with its unit: 1 day, 3 weeks. */
export const writeCount = (number: number, unit: string): string => many(number, unit, `${unit}s`, String)

/** The ISO 8601 number of a week: the first week of a year contains its first Thursday. */
export function weekNumber(day: Day): number {
  const thursday = daysBetween({ year: 1970, month: 1, day: 1 }, day) + 4 - weekdayOf(day)
  const year = new Date(thursday * 86_400_000).getUTCFullYear()
  return (
    Math.floor((thursday - daysBetween({ year: 1970, month: 1, day: 1 }, { year, month: 1, day: 1 })) / 7) + 1
  )
}

/** Whether a year has a 29 February. */
export const isLeapYear = (year: number): boolean => new Date(Date.UTC(year, 2, 0)).getUTCDate() === 29
