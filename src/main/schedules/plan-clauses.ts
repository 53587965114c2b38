import {
  DAY,
  type Clause,
  type NamedDate,
  type Placed,
  allOrOpen,
  isOpen,
  type Open,
  type Time,
} from './clause.ts'
import type { Rule } from './next-instants.ts'
import { MIDDAY, timeInPart } from './part-of-day.ts'
import { NO_DAY, NO_TIME, planMoment, planOnce, TWO } from './plan-once.ts'
import { wallOf } from './wall-clock.ts'

type Of<K extends Clause['kind']> = Extract<Clause, { kind: K }>
/** The rule that the clauses of a text say together, or what is open. `now` is the instant that intervals count from. */
export function planClauses(placed: readonly Placed[], now: Date, zone: string): Rule | Open {
  const clauses = withHabit(placed.map(({ clause }) => clause))
  if (isOpen(clauses)) return clauses
  const open = clauses.find(clause => clause.kind === 'open')
  if (open) return { open: open.open }
  const of = <K extends Clause['kind']>(kind: K) => clauses.filter(clause => clause.kind === kind) as Of<K>[]
  const one = [
    'times',
    'every',
    'in',
    'moment',
    'monthdays',
    'nth',
    'ordinals',
    'date',
    'near',
    'part',
    'except',
    'offset',
    'count',
  ] as const
  if (one.some(kind => of(kind).length > 1) || of('weekdays').length > 1) return TWO
  const others = (...kinds: Clause['kind'][]) => clauses.some(({ kind }) => !kinds.includes(kind))
  if (of('daily').length > 0 && of('weekdays').length > 0 && !isDailyOnDays(placed)) return TWO
  const [moment] = of('moment')
  if (moment) return others('moment') ? TWO : planMoment(moment.at)
  const [every] = of('every')
  if (every) return others('every') ? planMixedInterval(every) : planInterval(every.seconds, now)
  const [span] = of('in')
  const days = span && span.seconds % DAY === 0 ? span.seconds / DAY : undefined
  if (span && !(days !== undefined && of('times').length > 0))
    return others('in') ? TWO : planSpan(span.seconds, now)
  const times = timesIn(of('times')[0]?.times ?? noonOf(clauses), of('part')[0]?.part)
  if (isOpen(times)) return times
  const today = wallOf(now, zone)
  const isOneOff =
    of('offset').length + of('near').length + of('date').filter(({ isYearly }) => !isYearly).length > 0 ||
    days !== undefined
  const hasCycle = of('cycle').length > 0
  const isRecurring =
    hasCycle ||
    clauses.some(
      clause =>
        clause.kind === 'daily' ||
        clause.kind === 'monthdays' ||
        clause.kind === 'nth' ||
        (clause.kind === 'weekdays' && clause.isRecurring),
    )
  if (isOneOff && !hasCycle) return isRecurring ? TWO : planOnce(clauses, times, today, days)
  const calendar = planDays(clauses, times)
  if (calendar === undefined) return planOnce(clauses, times, today, days)
  if (isOpen(calendar)) return calendar
  if (times.length === 0) return clauses.length === 0 ? NO_DAY : NO_TIME
  const [count] = of('count')
  if (count && !isCounted(count, calendar, times))
    return { open: 'The text names another number of times than it says.' }
  return { kind: 'calendar', patterns: patternsOf(calendar, times) }
}

/** Whether “every day” and its weekdays stand together: `every day from Monday to Friday`. */
const isDailyOnDays = (placed: readonly Placed[]) =>
  placed.some(({ clause, end }, at) => {
    const next = placed[at + 1]
    return (
      clause.kind === 'daily' &&
      next?.clause.kind === 'weekdays' &&
      next.clause.isRecurring &&
      next.at - end < 2
    )
  })

/** “Saturday mornings” and “mornings at 7” come again; “morgens um 7” alone may mean once or every day. */
function withHabit(clauses: readonly Clause[]): readonly Clause[] | Open {
  const habit = clauses.find(clause => clause.kind === 'part')?.habit
  if (habit === undefined) return clauses
  const isAlone = clauses.every(({ kind }) => kind === 'times' || kind === 'part')
  if (habit === 'maybe')
    return isAlone && clauses.length > 1
      ? { open: 'Once, or every day? Say “every day”, or “today” or “tomorrow”.' }
      : clauses
  if (isAlone) return [...clauses, { kind: 'daily' }]
  return clauses.map(clause => (clause.kind === 'weekdays' ? { ...clause, isRecurring: true } : clause))
}

/** Noon has a time of its own, as far as a day stands beside it: `mittags jeden Dienstag`. */
const noonOf = (clauses: readonly Clause[]): Time[] =>
  clauses.length > 1 && clauses.some(clause => clause.kind === 'part' && clause.part === MIDDAY)
    ? [{ hour: 12, minute: 0, isBare: false }]
    : []

const planMixedInterval = ({ seconds }: Of<'every'>): Open => ({
  open:
    seconds % DAY === 0
      ? 'With which day does it begin? Give the days, or leave the time out.'
      : 'An interval counts from now on, so it goes with no day or hour: leave one of the two out.',
})

const LONGEST = 100 * 366 * DAY

function planInterval(seconds: number, now: Date): Rule | Open {
  if (seconds < 60) return { open: 'Less than a minute is too often.' }
  if (seconds > LONGEST || !Number.isInteger(seconds)) return { open: 'That interval cannot be kept.' }
  return { kind: 'interval', seconds, from: now.toISOString() }
}

function planSpan(seconds: number, now: Date): Rule | Open {
  if (seconds < 60) return { open: 'Less than a minute is too short.' }
  if (seconds > LONGEST) return { open: 'That is too far away.' }
  return { kind: 'at', at: new Date(now.getTime() + Math.round(seconds * 1000)).toISOString() }
}

/** The times with the part of the day that stands apart from them: `every evening at 8`. */
function timesIn(times: readonly Time[], part: number | undefined): Time[] | Open {
  const known = allOrOpen(times.map(time => (part === undefined ? time : timeInPart(time, part))))
  if (isOpen(known)) return known
  const distinct = new Map(known.map(time => [time.hour * 60 + time.minute, time]))
  return distinct.size === known.length ? known : { open: 'The same time is named twice.' }
}

type Calendar = { dom: string; month: string; dow: string }

/** The days of a recurring schedule as fields of cron; undefined for what happens once. */
function planDays(clauses: readonly Clause[], times: readonly Time[]): Calendar | Open | undefined {
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
    if (isOpen(months)) return months
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
      ? { open: 'No day is left, or one is taken out that was not in.' }
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

/** The months of a day, as cron writes them; of a quarter the first one, or the last one for a last day. */
function monthsOf({ days, months }: Of<'monthdays' | 'nth'>, cycles: ReadonlySet<string>): string | Open {
  const named = months?.join(',')
  if (cycles.has('week')) return TWO
  // A year has one day of each month that is named.
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

function planYearly({ year, month, day }: NamedDate, cycles: ReadonlySet<string>): Calendar | Open {
  if (year !== undefined || cycles.has('week') || cycles.has('month')) return TWO
  return { dom: String(day), month: String(month), dow: '*' }
}

function isCounted({ times, unit }: Of<'count'>, { dow, dom }: Calendar, clock: readonly Time[]): boolean {
  const days =
    unit === 'week' ? (dow === '*' ? 7 : dow.split(',').length) : unit === 'month' ? dom.split(',').length : 1
  return times === days * clock.length
}

/** Times that share their minute are one pattern. */
function patternsOf({ dom, month, dow }: Calendar, times: readonly Time[]): string[] {
  const byMinute = Map.groupBy(times, ({ minute }) => minute)
  return [...byMinute].map(([minute, all]) => {
    const hours = all.map(({ hour }) => hour).toSorted((a, b) => a - b)
    return `${minute} ${hours.join(',')} ${dom} ${month} ${dow}`
  })
}
