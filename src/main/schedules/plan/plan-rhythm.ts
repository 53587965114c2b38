import { DAY, HOUR, type Clause, type Unplannable } from '../read/clause.ts'
import type { Rule } from '../next-instants.ts'
import type { Calendar } from './plan-days.ts'

/** The question to ask if a day without “every” comes together with an interval. */
export const EVERY_OR_ONE: Unplannable = {
  open: 'Repeatedly, or only on that one day? Say “every Monday”, or name the times for one day.',
}
const NO_HOURS: Unplannable = {
  open: 'Between which hours? Say “from 8 to 18”, or “from 0 to 24” for the whole day.',
}
const NO_RHYTHM: Unplannable = {
  open: 'How often during these hours? Say “every 20 minutes from 8 to 18”, or name the times.',
}
const ODD_STEP: Unplannable = {
  open: 'That does not fit with minutes of each hour: say “every hour”, or name the times.',
}
const DAY_MINUTES = DAY / 60
const MOST_TIMES = 720

/** The minutes of the day for an interval with hours or minutes; above 1440 for the next day. */
export function rhythmTimes(clauses: readonly Clause[]): number[] | Unplannable {
  const seconds = clauses.find(clause => clause.kind === 'every')?.seconds
  const window = clauses.find(clause => clause.kind === 'window')
  const phase = clauses.find(clause => clause.kind === 'phase')
  const odd = clauses.find(({ kind }) => kind === 'times' || kind === 'part' || kind === 'count')
  if (odd && (seconds === undefined || seconds % DAY !== 0))
    return window || phase
      ? { open: 'Is this a span of hours, or single times? Say “from 8 to 18”, or only the times.' }
      : { open: 'Minutes of each hour, or hours of the day? Say “at :15 of every hour”, or “from 8 to 18”.' }
  if (seconds !== undefined && seconds % DAY === 0)
    return { open: 'On which day does it start? Say “starting today”, or leave the hours out.' }
  if (!window && !phase) return NO_HOURS
  if (seconds === undefined && !phase) return NO_RHYTHM
  if (seconds === undefined && !window && !phase!.isHourly)
    return { open: 'Every hour, or once? Say “of every hour”, or the time of the day.' }
  const step = (seconds ?? HOUR) / 60
  if (step < 1 || !Number.isInteger(step))
    return { open: 'Within hours of the day, the interval must be one or more whole minutes.' }
  const { from, to } = window ?? { from: 0, to: DAY_MINUTES - 1 }
  if (phase) return phaseTimes(phase.minutes, step, from, to, window !== undefined)
  const times: number[] = []
  // Midnight ends the day and is not one of its times.
  const end = Math.min(to === DAY_MINUTES ? to - 1 : to, from + DAY_MINUTES - 1)
  for (let at = from; at <= end; at += step) times.push(at)
  if (times.length > MOST_TIMES) return { open: 'That is too often: name fewer hours, or leave them out.' }
  return times.length < 2 ? { open: 'These hours are shorter than the interval: name the times.' } : times
}

function phaseTimes(
  minutes: readonly number[],
  step: number,
  from: number,
  to: number,
  hasHours: boolean,
): number[] | Unplannable {
  if (step % 60 !== 0 || (step > 60 && !hasHours)) return step % 60 === 0 ? NO_HOURS : ODD_STEP
  const times: number[] = []
  for (let hour = Math.floor(from / 60) * 60; hour <= to; hour += step)
    times.push(
      ...minutes.map(minute => hour + minute).filter(at => at >= from && at <= to && at !== DAY_MINUTES),
    )
  if (step > 60 && times[0] !== undefined && times[0] >= from + 60) return ODD_STEP
  return times.length === 0 ? { open: 'No such time falls within these hours.' } : times
}

/** The rule for times (in minutes) on some days. Times after midnight must be the same on every day. */
export function rhythmRule(times: readonly number[], calendar: Calendar): Rule | Unplannable {
  const isEveryDay = calendar.dom === '*' && calendar.month === '*' && calendar.dow === '*'
  if (times.some(at => at >= DAY_MINUTES) && !isEveryDay)
    return {
      open: 'To which day do the hours after midnight belong? Make one schedule for each part of the night.',
    }
  return { kind: 'calendar', patterns: patternsOf(calendar, times) }
}

/** Times in minutes as cron lines. Hours with the same minutes share a line. */
export function patternsOf({ dom, month, dow }: Calendar, times: readonly number[]): string[] {
  const sorted = [...new Set(times.map(at => at % DAY_MINUTES))].toSorted((a, b) => a - b)
  const byHour = Map.groupBy(sorted, at => Math.floor(at / 60))
  const lines = Map.groupBy([...byHour], ([, all]) => all.map(at => at % 60).join(','))
  return [...lines].map(([minutes, hours]) => {
    const isAll = hours.length === 24
    return `${minutes} ${isAll ? '*' : hours.map(([hour]) => hour).join(',')} ${dom} ${month} ${dow}`
  })
}
