import { allOrUnplannable, isUnplannable, type Clause, type Unplannable, type Time } from '../read/clause.ts'
import type { Rule } from '../next-instants.ts'
import { NIGHT } from '../read/part-of-day.ts'
import { addDays, daysBetween, isRealDay, type Wall } from '../wall-clock.ts'

/** Reasons to refuse a text: no time of day, two schedules, or no time at all. */
export const NO_TIME: Unplannable = { open: 'At what time? The text names none.' }
export const TWO: Unplannable = {
  open: 'These are two schedules, or two times that do not go together: make one for each.',
}
export const NO_DAY: Unplannable = { open: 'When? Talaria found no time in the text that it understands.' }
const LATEST_YEAR = 2200

/** The rule for a date and time in machine format. */
export function planMoment(at: string): Rule | Unplannable {
  const hasOffset = /(?:Z|[+-]\d\d:?\d\d)$/.test(at)
  const date = new Date(hasOffset ? at : `${at}Z`)
  const [year, month, day, hour] = at.split(/\D/).map(Number) as [number, number, number, number]
  const isReal = !Number.isNaN(date.getTime()) && hour < 24 && isRealDay({ year, month, day })
  if (!isReal) return { open: `There is no such date and time: ${at}.` }
  if (hasOffset) return { kind: 'at', at: date.toISOString() }
  return { kind: 'wall', wall: date.toISOString().slice(0, 19) }
}

/** The rule of a schedule that runs once. `inDays`: the text counts days from `today`. */
export function planOnce(
  clauses: readonly Clause[],
  times: readonly Time[],
  today: Wall,
  inDays: number | undefined,
): Rule | Unplannable {
  const named = clauses.filter(({ kind }) => ['weekdays', 'offset', 'near', 'date', 'in'].includes(kind))
  const isOdd = clauses.some(({ kind }) => ['except', 'count', 'ordinals'].includes(kind))
  if (isOdd) return TWO
  const [time, second] = times
  if (!time) return named.length === 0 ? NO_DAY : NO_TIME
  if (second) return TWO
  const minutes = time.hour * 60 + time.minute
  const isLater = minutes > today.hour * 60 + today.minute
  const days = allOrUnplannable(named.map(clause => dayOf(clause, today, isLater, inDays)))
  if (isUnplannable(days)) return days
  const [first = isLater ? today : addDays(today, 1), ...rest] = days
  if (rest.some(day => daysBetween(first, day) !== 0)) return { open: 'The text names two different days.' }
  const isMidnight = minutes === 0 && named.length > 0 && !clauses.some(({ kind }) => kind === 'date')
  if (isMidnight) return { open: 'Is that the midnight before or after the day? Give the date.' }
  if (
    time.hour < 6 &&
    clauses.some(({ kind }) => kind === 'part') &&
    clauses.some(clause => clause.kind === 'part' && clause.part === NIGHT) &&
    named.length > 0
  )
    return { open: 'The night before that day or the night after it? Give the date.' }
  const past = daysBetween(today, first)
  if (past < 0 || (past === 0 && !isLater)) return { open: 'That is in the past.' }
  if (first.year > LATEST_YEAR) return { open: 'That is too far away.' }
  const two = (number: number) => String(number).padStart(2, '0')
  const date = `${first.year}-${two(first.month)}-${two(first.day)}`
  return { kind: 'wall', wall: `${date}T${two(time.hour)}:${two(time.minute)}:00` }
}

type DayOf = { year: number; month: number; day: number }

/** How many days ago a date without a year may be and still be meant, instead of the same date next year. */
const DOUBTFUL_DAYS = 90

/** The day that a clause names, relative to `today`. `isLater`: the time of day is still to come. */
export function dayOf(
  clause: Clause,
  today: Wall,
  isLater: boolean,
  inDays: number | undefined,
): DayOf | Unplannable {
  if (clause.kind === 'in') return addDays(today, inDays ?? 0)
  if (clause.kind === 'offset') return addDays(today, clause.days)
  if (clause.kind === 'weekdays') {
    const ahead = (clause.days[0]! - today.weekday + 7) % 7
    if (ahead === 0 && isLater) return { open: 'Today, or in a week? Say “today”, or give the date.' }
    return addDays(today, ahead === 0 ? 7 : ahead)
  }
  if (clause.kind === 'near') return nearDay(clause, today)
  if (clause.kind !== 'date') return TWO
  const { year, month, day } = clause.date
  if (year !== undefined) return { year, month, day }
  const candidates = Array.from({ length: 9 }, (_, index) => ({ year: today.year + index, month, day }))
  const real = candidates.filter(isRealDay)
  const isPast = daysBetween(today, real[0]!) < 0 || (daysBetween(today, real[0]!) === 0 && !isLater)
  if (!isPast) return real[0]!
  return daysBetween(real[0]!, today) < DOUBTFUL_DAYS
    ? { open: 'That day is in the past. Add the year if you mean the next one.' }
    : real[1]!
}

/** `next Friday` is only planned if the coming Friday is also the one of next week. */
function nearDay({ weekday, which }: Extract<Clause, { kind: 'near' }>, today: Wall): DayOf | Unplannable {
  const ahead = (weekday - today.weekday + 7) % 7 || 7
  const ofNextWeek = weekday - today.weekday + 7
  if (which === 'coming') return addDays(today, ahead)
  if (which === 'this') {
    if (weekday < today.weekday) return { open: 'That day of this week is in the past.' }
    return addDays(today, weekday - today.weekday)
  }
  if (which === 'next week')
    return weekday === 7 || today.weekday === 7
      ? { open: 'Which week is meant? Give the date.' }
      : addDays(today, ofNextWeek)
  const isSame = ahead === ofNextWeek && today.weekday !== 7
  return isSame
    ? addDays(today, ahead)
    : { open: 'This coming day, or the same day next week? Give the date.' }
}
