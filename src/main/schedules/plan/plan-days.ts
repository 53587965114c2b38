import type { Clause, NamedDate, Unplannable, Time } from '../read/clause.ts'
import { isUnplannable } from '../read/clause.ts'
import { TWO } from './plan-once.ts'

type Of<K extends Clause['kind']> = Extract<Clause, { kind: K }>

/** The days of a rule as cron fields. */
export type Calendar = { dom: string; month: string; dow: string }

/** The days of a recurring schedule as cron fields; undefined if it runs once. */
export function planDays(
  clauses: readonly Clause[],
  times: readonly Time[],
): Calendar | Unplannable | undefined {
  const find = <K extends Clause['kind']>(kind: K) =>
    clauses.find(clause => clause.kind === kind) as Of<K> | undefined
  const except = find('except')?.days ?? []
  const cycles = new Set(clauses.filter(clause => clause.kind === 'cycle').map(({ unit }) => unit))
  const [weekdays, monthdays, nth, ordinals, date] = [
    find('weekdays'),
    find('monthdays'),
    find('nth'),
    find('ordinals'),
    find('date'),
  ]
  const ofMonth = [monthdays, nth, ordinals, date].filter(each => each !== undefined)
  const count = find('count')
  const isDaily = find('daily') !== undefined || count?.unit === 'day'
  if (ofMonth.length > 1 || (ofMonth.length > 0 && (weekdays || isDaily || except.length > 0))) return TWO
  if (cycles.size > 1) return TWO
  const everyday = { dom: '*', month: '*', dow: '*' }
  if (date) return cycles.has('year') || date.isYearly ? planYearly(date.date, cycles) : undefined
  const day = monthdays ?? nth
  if (day) {
    const months = monthsOf(day, cycles)
    if (isUnplannable(months)) return months
    return { ...everyday, [monthdays ? 'dom' : 'dow']: day.days.join(','), month: months }
  }
  if (ordinals) {
    if (ordinals.days.some(day => day < 1 || day > 31)) return { open: 'No month has that day.' }
    if (cycles.has('quarter')) return { ...everyday, dom: ordinals.days.join(','), month: FIRST_MONTHS }
    const isMonthly = cycles.has('month') || ordinals.days.length > 1 || count?.unit === 'month'
    if (!isMonthly)
      return { open: 'Once, or on that day of every month? Say “of every month”, or give the date.' }
    return { ...everyday, dom: ordinals.days.join(',') }
  }
  if (cycles.has('month')) return { open: 'On which day of the month?' }
  if (cycles.has('quarter')) return { open: 'On which day of the quarter?' }
  if (cycles.has('year')) return { open: 'On which day of the year?' }
  const isWeekly = cycles.has('week') || count?.unit === 'week'
  if (weekdays && (weekdays.isRecurring || isWeekly)) {
    const days = weekdays.days.filter(day => !except.includes(day))
    const isOdd = except.some(day => !weekdays.days.includes(day))
    return days.length === 0 || isOdd
      ? { open: 'No day is left, or you excluded a day that was not included.' }
      : { ...everyday, dow: daysOf(days) }
  }
  if (weekdays && isDaily) return TWO
  if (isWeekly) return { open: 'On which day of the week?' }
  const isList =
    times.length > 1 && !weekdays && clauses.every(({ kind }) => kind === 'times' || kind === 'part')
  if (!isDaily && !isList && except.length === 0) return undefined
  if (except.length > 0 && !isDaily) return TWO
  return except.length === 0
    ? everyday
    : { ...everyday, dow: daysOf([1, 2, 3, 4, 5, 6, 7].filter(day => !except.includes(day))) }
}

const FIRST_MONTHS = '1,4,7,10'
const LAST_MONTHS = '3,6,9,12'

/** The months of a day, as cron writes them. A quarter means its first month, or its last for a last day. */
function monthsOf(
  { days, months }: Of<'monthdays' | 'nth'>,
  cycles: ReadonlySet<string>,
): string | Unplannable {
  const named = months?.join(',')
  if (cycles.has('week')) return TWO
  // A yearly schedule has the day in each named month.
  if (cycles.has('year')) return named === undefined || days.length > 1 ? TWO : named
  if (!cycles.has('quarter')) return named ?? '*'
  const isLast = days.map(day => /L/.test(day))
  if (new Set(isLast).size > 1) return { open: 'On which day of the quarter?' }
  const ofQuarter = isLast[0] ? LAST_MONTHS : FIRST_MONTHS
  return named === undefined || named === ofQuarter ? ofQuarter : TWO
}

const daysOf = (days: readonly number[]) =>
  days
    .map(day => day % 7)
    .toSorted((a, b) => a - b)
    .join(',')

function planYearly({ year, month, day }: NamedDate, cycles: ReadonlySet<string>): Calendar | Unplannable {
  if (year !== undefined || cycles.has('week') || cycles.has('month')) return TWO
  return { dom: String(day), month: String(month), dow: '*' }
}

/** The clauses of days, with “every day” added if they only exclude days: `every 2 hours except Sundays`. */
export const withDaily = (clauses: readonly Clause[]): readonly Clause[] =>
  clauses.every(({ kind }) => kind === 'except') ? [...clauses, { kind: 'daily' }] : clauses
