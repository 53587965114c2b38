import {
  DAY,
  type Clause,
  type Placed,
  allOrUnplannable,
  isUnplannable,
  type Unplannable,
  type Time,
} from '../read/clause.ts'
import type { Rule } from '../next-instants.ts'
import { MIDDAY, timeInPart } from '../read/part-of-day.ts'
import { planBounds, planStep, startOf, stepOf, type Day } from './plan-bounds.ts'
import { planDays, withDaily, type Calendar } from './plan-days.ts'
import { EVERY_OR_ONE, patternsOf, rhythmRule, rhythmTimes } from './plan-rhythm.ts'
import { NO_DAY, NO_TIME, planMoment, planOnce, TWO } from './plan-once.ts'
import { wallOf } from '../wall-clock.ts'

type Of<K extends Clause['kind']> = Extract<Clause, { kind: K }>
/** Combine the clauses of a text into a rule, or ask about what is unclear. Intervals count from `now`. */
export function planClauses(placed: readonly Placed[], now: Date, zone: string): Rule | Unplannable {
  const all = placed.map(({ clause }) => clause)
  const open = all.find(clause => clause.kind === 'open')
  if (open) return { open: open.open }
  const bounds = all.filter(clause => clause.kind === 'start' || clause.kind === 'end')
  const rest = placed.filter(({ clause }) => clause.kind !== 'start' && clause.kind !== 'end')
  if (bounds.length > 0)
    return planBounds(bounds, planUnbound(rest, now, zone, startOf(bounds, now, zone)), now, zone)
  return planUnbound(rest, now, zone, undefined)
}

/** The rule without start and end. `start` is the first day, if the text names one. */
function planUnbound(
  placed: readonly Placed[],
  now: Date,
  zone: string,
  start: Day | Unplannable | undefined,
): Rule | Unplannable {
  const clauses = withHabit(placed.map(({ clause }) => clause))
  if (isUnplannable(clauses)) return clauses
  if (isUnplannable(start)) return start
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
    'window',
    'phase',
    'step',
  ] as const
  if (one.some(kind => of(kind).length > 1) || of('weekdays').length > 1) return TWO
  const others = (...kinds: Clause['kind'][]) => clauses.some(({ kind }) => !kinds.includes(kind))
  if (of('daily').length > 0 && of('weekdays').length > 0 && !isDailyOnDays(placed)) return TWO
  const [moment] = of('moment')
  if (moment) return others('moment') ? TWO : planMoment(moment.at)
  const step = stepOf(clauses)
  if (step) {
    const times = timesIn(of('times')[0]?.times ?? noonOf(clauses), of('part')[0]?.part)
    return isUnplannable(times) ? times : planStep(step, clauses, { times, now, zone, start })
  }
  const [every] = of('every')
  if (every && !others('every')) return planInterval(every.seconds, now)
  if (every || of('window').length > 0 || of('phase').length > 0) {
    const times = rhythmTimes(clauses)
    if (isUnplannable(times)) return times
    const days = clauses.filter(({ kind }) => kind !== 'every' && kind !== 'window' && kind !== 'phase')
    const calendar = planDays(withDaily(days), [{ hour: 0, minute: 0, isBare: false }])
    if (calendar === undefined) return EVERY_OR_ONE
    return isUnplannable(calendar) ? calendar : rhythmRule(times, calendar)
  }
  const [span] = of('in')
  const days = span && span.seconds % DAY === 0 ? span.seconds / DAY : undefined
  if (span && !(days !== undefined && of('times').length > 0))
    return others('in') ? TWO : planSpan(span.seconds, now)
  const times = timesIn(of('times')[0]?.times ?? noonOf(clauses), of('part')[0]?.part)
  if (isUnplannable(times)) return times
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
  if (isUnplannable(calendar)) return calendar
  if (times.length === 0) return clauses.length === 0 ? NO_DAY : NO_TIME
  const [count] = of('count')
  if (count && !isCounted(count, calendar, times))
    return { open: 'The text says one number of times, but lists another.' }
  return { kind: 'calendar', patterns: patternsOf(calendar, minutesOf(times)) }
}

const minutesOf = (times: readonly Time[]) => times.map(({ hour, minute }) => hour * 60 + minute)

/** Whether “every day” is followed by its weekdays: `every day from Monday to Friday`. */
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

/** Decide if a part of the day recurs. “Saturday mornings” and “mornings at 7” do; “morgens um 7” may not. */
function withHabit(clauses: readonly Clause[]): readonly Clause[] | Unplannable {
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

/** Noon implies a time of day if a day is named as well: `mittags jeden Dienstag`. */
const noonOf = (clauses: readonly Clause[]): Time[] =>
  clauses.length > 1 && clauses.some(clause => clause.kind === 'part' && clause.part === MIDDAY)
    ? [{ hour: 12, minute: 0, isBare: false }]
    : []

const LONGEST = 100 * 366 * DAY

function planInterval(seconds: number, now: Date): Rule | Unplannable {
  if (seconds < 60) return { open: 'Less than a minute is too often.' }
  if (seconds > LONGEST || !Number.isInteger(seconds)) return { open: 'That interval is not possible.' }
  return { kind: 'interval', seconds, from: now.toISOString() }
}

function planSpan(seconds: number, now: Date): Rule | Unplannable {
  if (seconds < 60) return { open: 'Less than a minute is too short.' }
  if (seconds > LONGEST) return { open: 'That is too far away.' }
  return { kind: 'at', at: new Date(now.getTime() + Math.round(seconds * 1000)).toISOString() }
}

/** Apply a separate part of the day to the times: `every evening at 8`. */
function timesIn(times: readonly Time[], part: number | undefined): Time[] | Unplannable {
  const known = allOrUnplannable(times.map(time => (part === undefined ? time : timeInPart(time, part))))
  if (isUnplannable(known)) return known
  const distinct = new Map(known.map(time => [time.hour * 60 + time.minute, time]))
  return distinct.size === known.length ? known : { open: 'The same time is named twice.' }
}

function isCounted({ times, unit }: Of<'count'>, { dow, dom }: Calendar, clock: readonly Time[]): boolean {
  const days =
    unit === 'week' ? (dow === '*' ? 7 : dow.split(',').length) : unit === 'month' ? dom.split(',').length : 1
  return times === days * clock.length
}
