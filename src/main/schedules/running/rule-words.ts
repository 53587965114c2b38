import type { Cycle, Rule } from '../next-instants.ts'
import { MONTHS } from '../wall-clock.ts'
import { joinNames, readNumbers, timesInWords } from './times-words.ts'

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const
const POSITIONS: Record<string, string> = {
  1: 'first',
  2: 'second',
  3: 'third',
  4: 'fourth',
  5: 'fifth',
  L: 'last',
}

/**
 * A rule in words, such as `every weekday at 08:00`, which describe all of it. If there are no short words,
 * the cron line is shown.
 */
export function ruleInWords(rule: Rule, zone: string): string {
  if (rule.kind === 'interval') return `every ${spanInWords(rule.seconds)}${untilInWords(rule.until, zone)}`
  if (rule.kind === 'calendar') {
    // Lines for the same days form one list of times.
    const groups = Map.groupBy(rule.patterns, pattern => pattern.split(' ').slice(2).join(' '))
    const days = joinNames([...groups.values()].map(patterns => patternsInWords(patterns, rule.cycle)))
    // A cycle, such as every other week, names the day that it counts from.
    const from =
      rule.cycle !== undefined
        ? `, beginning ${dateOf(rule.cycle.from)}`
        : rule.from === undefined
          ? ''
          : `, from ${shownInstant(rule.from, zone, '00:00')}`
    return `${days}${from}${untilInWords(rule.until, zone)}`
  }
  const instant = rule.kind === 'at' ? new Date(rule.at) : new Date(`${rule.wall}Z`)
  const shown = new Intl.DateTimeFormat('en-GB', {
    timeZone: rule.kind === 'at' ? zone : 'UTC',
    dateStyle: 'full',
    timeStyle: 'short',
  })
  return `once, on ${shown.format(instant)}`
}

const untilInWords = (until: string | undefined, zone: string) =>
  until === undefined ? '' : `, until ${shownInstant(until, zone, '23:59')}`

/** An instant as a date, with the time unless that is the `edge` of the day. */
function shownInstant(instant: string, zone: string, edge: string): string {
  const part = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...options }).format(new Date(instant))
  const time = part({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const day = part({ day: 'numeric', month: 'long', year: 'numeric' })
  return time === edge ? day : `${day} at ${time}`
}

function spanInWords(seconds: number): string {
  for (const [size, unit] of [
    [604_800, 'week'],
    [86_400, 'day'],
    [3_600, 'hour'],
    [60, 'minute'],
  ] as const) {
    if (seconds % size === 0) return seconds === size ? unit : `${seconds / size} ${unit}s`
  }
  return `${seconds} seconds`
}

function patternsInWords(patterns: readonly string[], cycle: Cycle | undefined): string {
  const byCron = `by cron: ${patterns.join(' and ')}${cycle ? `, ${cycleInWords(cycle)}` : ''}`
  const [, , day = '', month = '', weekday = ''] = patterns[0]!.split(' ')
  const times = timesInWords(patterns, day === '*' && weekday === '*' && month === '*' && !cycle)
  const days = cycle ? cycleDays(cycle, day, weekday) : daysInWords(day, weekday)
  const months = month === '*' ? '' : monthsInWords(month)
  if (times === undefined || days === undefined || months === undefined) return byCron
  const [start, end] = times.isRhythm ? [`${times.text}, `, ''] : ['', ` at ${times.text}`]
  if (months === '') return times.isWholeDay && days === 'every day' ? times.text : `${start}${days}${end}`
  return day === '*' && !weekday.includes('#')
    ? `${start}${days} in ${months}${end}`
    : `${start}${days.replace(' of every month', '')} of ${months}${end}`
}

const cycleInWords = ({ unit, count }: Cycle) => `every ${count} ${unit}s`

const dateOf = (day: string) => shownInstant(`${day}T00:00:00Z`, 'UTC', '00:00')

/** The days of a cycle, such as `every 2 weeks on Tuesday`. */
function cycleDays(cycle: Cycle, day: string, weekday: string): string | undefined {
  if (day !== '*') return undefined
  if (weekday === '*') return cycle.unit === 'day' ? cycleInWords(cycle) : undefined
  const days = readNumbers(weekday, 7)?.map(each => WEEKDAYS[each % 7]!)
  if (!days) return undefined
  return cycle.unit === 'week'
    ? `every ${cycle.count} weeks on ${joinNames(days)}`
    : `${cycleInWords(cycle)} where that is ${joinNames(days).replace(/ and (?=\w+$)/, ' or ')}`
}

function daysInWords(day: string, weekday: string): string | undefined {
  if (day === '*' && weekday === '*') return 'every day'
  if (day === '*') {
    if (/^\d#|^[\dL#,]*L/.test(weekday) || weekday.includes('#')) return nthInWords(weekday)
    const days = readNumbers(weekday, 7)?.map(each => each % 7)
    if (!days) return undefined
    const key = [...new Set(days)].toSorted((a, b) => a - b).join()
    if (key === '1,2,3,4,5') return 'every weekday'
    if (key === '0,6') return 'every weekend day'
    if (key === '0,1,2,3,4,5,6') return 'every day'
    const out = WEEKDAYS.filter((_, at) => !days.includes(at))
    if (out.length === 1) return `every day except ${out[0]!}`
    return `every ${joinNames(days.map(each => WEEKDAYS[each]!))}`
  }
  if (weekday !== '*') return undefined
  const names = day.split(',').map(each => {
    if (each === 'L') return 'last day'
    if (each === 'LW') return 'last weekday'
    if (each === '1W') return 'first weekday'
    if (/^\d+W$/.test(each)) return `weekday nearest to the ${ordinal(Number.parseInt(each))}`
    return /^\d+$/.test(each) ? ordinal(Number(each)) : undefined
  })
  return names.includes(undefined) ? undefined : `on the ${joinNames(names as string[])} of every month`
}

function nthInWords(weekday: string): string | undefined {
  const names = weekday.split(',').map(each => {
    const [, day, position] = /^(\d)#([1-5L])$/.exec(each) ?? []
    return day === undefined ? undefined : `${POSITIONS[position!]!} ${WEEKDAYS[Number(day) % 7]!}`
  })
  return names.includes(undefined) ? undefined : `on the ${joinNames(names as string[])} of every month`
}

function monthsInWords(month: string): string | undefined {
  const found = readNumbers(month, 12)
  return found && joinNames(found.map(each => MONTHS[each - 1] ?? String(each)))
}

const ordinal = (day: number): string => {
  const ending =
    day % 10 === 1 && day !== 11
      ? 'st'
      : day % 10 === 2 && day !== 12
        ? 'nd'
        : day % 10 === 3 && day !== 13
          ? 'rd'
          : 'th'
  return `${day}${ending}`
}
