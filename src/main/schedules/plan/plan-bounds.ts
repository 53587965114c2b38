import { isUnplannable, type Clause, type End, type Unplannable, type Time } from '../read/clause.ts'
import { nextInstants, type Rule } from '../next-instants.ts'
import { planDays, withDaily } from './plan-days.ts'
import { dayOf } from './plan-once.ts'
import { patternsOf } from './plan-rhythm.ts'
import { addDays, daysBetween, wallOf, type Wall } from '../wall-clock.ts'

type Of<K extends Clause['kind']> = Extract<Clause, { kind: K }>
/** A calendar day. */
export type Day = { year: number; month: number; day: number }
type At = { now: Date; zone: string }
type Step = Omit<Of<'step'>, 'kind'>

const two = (number: number) => String(number).padStart(2, '0')
const isoOf = ({ year, month, day }: Day) => `${year}-${two(month)}-${two(day)}`
const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
)
const DAYS = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ')
const named = (day: Day) => `${day.day} ${MONTHS[day.month - 1]!}`
const TWICE: Unplannable = { open: 'The text gives more than one start or end.' }

/** The first day of a schedule; undefined if the text names none. */
export function startOf(bounds: readonly Clause[], now: Date, zone: string): Day | Unplannable | undefined {
  const starts = bounds.filter(clause => clause.kind === 'start')
  if (starts.length > 1) return TWICE
  const today = wallOf(now, zone)
  const [start] = starts
  return start && dayOf(start.day, today, true, undefined)
}

/** Add start and end to a rule. An end after a number of times is stored as the instant of the last one. */
export function planBounds(
  bounds: readonly Clause[],
  rule: Rule | Unplannable,
  now: Date,
  zone: string,
): Rule | Unplannable {
  if (isUnplannable(rule)) return rule
  const ends = bounds.filter(clause => clause.kind === 'end')
  if (ends.length > 1) return TWICE
  const start = startOf(bounds, now, zone)
  if (isUnplannable(start)) return start
  if (rule.kind === 'at' || rule.kind === 'wall')
    return {
      open: 'Once, or repeatedly? Say “every day” or name the days, or leave out the start and the end.',
    }
  const today = wallOf(now, zone)
  if (start && daysBetween(today, start) < 0) return { open: 'The first day is in the past.' }
  const isLater = start !== undefined && daysBetween(today, start) > 0
  if (isLater && rule.kind === 'interval')
    return {
      open: 'At what time of that day does it begin? Say “every 2 hours from 0 to 24 starting …”, or leave the start out.',
    }
  const from = isLater ? startOfDay(start, zone).toISOString() : undefined
  const begun: Rule = rule.kind === 'calendar' && from !== undefined ? { ...rule, from } : rule
  const [end] = ends
  if (!end) return begun
  const until = lastInstant(end.end, begun, { now, zone }, isLater ? start : undefined)
  return isUnplannable(until) ? until : { ...begun, until: until.toISOString() }
}

const startOfDay = (day: Day, zone: string): Date => {
  const after = new Date(Date.UTC(day.year, day.month - 1, day.day) - 2 * 86_400_000)
  return nextInstants({ kind: 'wall', wall: `${isoOf(day)}T00:00:00` }, zone, after, 1)[0]!
}

const endOfDay = (day: Day, zone: string) => new Date(startOfDay(addDays(day, 1), zone).getTime() - 1000)

const MOST_REPEATS = 1000

function lastInstant(end: End, rule: Rule, { now, zone }: At, start: Day | undefined): Date | Unplannable {
  if (end.by === 'times') {
    if (end.times > MOST_REPEATS) return { open: 'That is too many times: give the last day.' }
    const last = nextInstants(rule, zone, now, end.times).at(-1)
    return last ?? { open: 'There is no such day: it would never run.' }
  }
  const instant = endInstant(end, { now, zone }, start)
  if (isUnplannable(instant)) return instant
  return nextInstants(rule, zone, now, 1).some(next => next <= instant)
    ? instant
    : { open: 'It would end before its first run.' }
}

function endInstant(
  end: Exclude<End, { by: 'times' }>,
  { now, zone }: At,
  start: Day | undefined,
): Date | Unplannable {
  const today = wallOf(now, zone)
  if (end.by === 'days' || end.by === 'months') {
    const first = start ?? today
    const last = end.by === 'days' ? addDays(first, end.days) : addMonths(first, end.months)
    // From a given day on, whole days count. Otherwise the period runs from now.
    return start
      ? endOfDay(addDays(last, -1), zone)
      : new Date(startOfDay(last, zone).getTime() + now.getTime() - startOfDay(today, zone).getTime())
  }
  const last = end.by === 'day' ? dayOf(end.day, today, true, undefined) : calendarEnd(end, today)
  return isUnplannable(last) ? last : endOfDay(last, zone)
}

function calendarEnd(end: Extract<End, { by: 'calendar' }>, today: Wall): Day {
  const { year, month, day } = today
  if (end.unit === 'year') return { year, month: 12, day: 31 }
  if (end.unit === 'week') return addDays({ year, month, day }, 7 - today.weekday)
  const wanted = end.month ?? month
  const ofYear = wanted < month ? year + 1 : year
  return addDays({ year: ofYear, month: wanted + 1, day: 1 }, -1)
}

function addMonths({ year, month, day }: Day, months: number): Day {
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0))
  const date = new Date(Date.UTC(year, month - 1 + months, Math.min(day, last.getUTCDate())))
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

/** A step of days or weeks together with a time of day; undefined for all other clauses. */
export function stepOf(clauses: readonly Clause[]): Step | undefined {
  const step = clauses.find(clause => clause.kind === 'step')
  if (step) return step
  const every = clauses.find(clause => clause.kind === 'every')
  const hasTimes = clauses.some(({ kind }) => kind === 'times' || kind === 'weekdays')
  if (!every || !hasTimes || every.seconds % 86_400 !== 0) return undefined
  const days = every.seconds / 86_400
  if (days > 364) return undefined
  return days % 7 === 0 ? { unit: 'week', count: days / 7 } : { unit: 'day', count: days }
}

/** The rule for “every other Tuesday” and the like. Without a first day, the result asks for it. */
export function planStep(
  step: Step,
  clauses: readonly Clause[],
  { times, now, zone, start }: At & { times: readonly Time[]; start: Day | undefined },
): Rule | Unplannable {
  const rest = clauses.filter(({ kind }) => !['step', 'every', 'times', 'part'].includes(kind))
  const weekdays = rest.find(clause => clause.kind === 'weekdays')
  const isOdd = rest.some(clause => clause !== weekdays && clause.kind !== 'except')
  if (isOdd || (weekdays && step.days) || (weekdays && step.unit === 'day'))
    return { open: 'Which days are meant? Say “every 2 weeks on Monday at 9 starting 1 December”.' }
  const days = step.days ?? weekdays?.days
  const today = wallOf(now, zone)
  if (step.unit === 'week' && !days && !start)
    return {
      open: 'On which day of the week, and beginning when? Say “every 2 weeks on Monday starting 1 December”.',
    }
  const ofWeek = days ?? (start ? [wallWeekday(start)] : [])
  if (times.length === 0) return { open: 'At what time? The text names none.' }
  if (!start) return askStart(step, ofWeek, today)
  if (step.count === 1) return { open: 'Say “every day” or the days of the week.' }
  const days2: Clause[] =
    step.unit === 'day'
      ? [...withDaily(rest)]
      : [
          { kind: 'weekdays', days: ofWeek, isRecurring: true },
          ...rest.filter(({ kind }) => kind === 'except'),
        ]
  const calendar = planDays(days2, times)
  if (calendar === undefined || isUnplannable(calendar))
    return calendar ?? { open: 'Which days are meant? Name them.' }
  // In a week that has already begun, start with the first of its days that is left.
  let first = start
  while (step.unit === 'week' && !ofWeek.includes(wallWeekday(first))) first = addDays(first, 1)
  return {
    kind: 'calendar',
    patterns: patternsOf(
      calendar,
      times.map(({ hour, minute }) => hour * 60 + minute),
    ),
    cycle: { unit: step.unit, count: step.count, from: isoOf(first) },
  }
}

const wallWeekday = ({ year, month, day }: Day) => new Date(Date.UTC(year, month - 1, day)).getUTCDay() || 7

function askStart({ unit, count, isNth }: Step, days: readonly number[], today: Wall): Unplannable {
  const [day] = days
  if (unit === 'day' || day === undefined)
    return {
      open: 'Starting on which day? Say “starting today”, “starting tomorrow” or “starting 1 December”.',
    }
  const first = addDays(today, (day - today.weekday + 7) % 7 || 7)
  const name = DAYS[day - 1]!
  const which = `Starting on ${name} ${named(first)} or ${named(addDays(first, 7))}? Say “starting ${named(first)}”`
  return isNth === true
    ? { open: `Every ${count} weeks, or a ${name} of each month? ${which}, or “of the month”.` }
    : { open: `${which}.` }
}
