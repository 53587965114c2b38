import type { Rule } from '../next-instants.ts'

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const
const MONTHS = [
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
const POSITIONS: Record<string, string> = {
  1: 'first',
  2: 'second',
  3: 'third',
  4: 'fourth',
  5: 'fifth',
  L: 'last',
}

/** A rule in words, such as `every weekday at 08:00`. What has no short words is given as the line of cron. */
export function ruleInWords(rule: Rule, zone: string): string {
  if (rule.kind === 'interval') return `every ${spanInWords(rule.seconds)}`
  if (rule.kind === 'calendar') return joined(rule.patterns.map(patternInWords))
  const instant = rule.kind === 'at' ? new Date(rule.at) : new Date(`${rule.wall}Z`)
  const shown = new Intl.DateTimeFormat('en-GB', {
    timeZone: rule.kind === 'at' ? zone : 'UTC',
    dateStyle: 'full',
    timeStyle: 'short',
  })
  return `once, on ${shown.format(instant)}`
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

function patternInWords(pattern: string): string {
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = pattern.split(' ')
  const times = timesInWords(minute, hour)
  const days = daysInWords(day, weekday)
  const months = month === '*' ? '' : monthsInWords(month)
  if (times === undefined || days === undefined || months === undefined) return `by cron: ${pattern}`
  if (months === '') return `${days} at ${times}`
  return day === '*'
    ? `${days} in ${months} at ${times}`
    : `${days.replace(' of every month', '')} of ${months} at ${times}`
}

function timesInWords(minute: string, hour: string): string | undefined {
  const hours = numbers(hour, 23)
  const minutes = numbers(minute, 59)
  if (!hours || !minutes || hours.length * minutes.length > 8) return undefined
  const two = (each: number) => String(each).padStart(2, '0')
  return joined(hours.flatMap(h => minutes.map(m => `${two(h)}:${two(m)}`)))
}

function daysInWords(day: string, weekday: string): string | undefined {
  if (day === '*' && weekday === '*') return 'every day'
  if (day === '*') {
    if (/^\d#|^[\dL#,]*L/.test(weekday) || weekday.includes('#')) return nthInWords(weekday)
    const days = numbers(weekday, 7)?.map(each => each % 7)
    if (!days) return undefined
    const key = [...new Set(days)].toSorted((a, b) => a - b).join()
    if (key === '1,2,3,4,5') return 'every weekday'
    if (key === '0,6') return 'every weekend day'
    if (key === '0,1,2,3,4,5,6') return 'every day'
    return `every ${joined(days.map(each => WEEKDAYS[each]!))}`
  }
  if (weekday !== '*') return undefined
  const names = day.split(',').map(each => {
    if (each === 'L') return 'last day'
    if (each === 'LW') return 'last weekday'
    return /^\d+$/.test(each) ? ordinal(Number(each)) : undefined
  })
  return names.includes(undefined) ? undefined : `on the ${joined(names as string[])} of every month`
}

function nthInWords(weekday: string): string | undefined {
  const names = weekday.split(',').map(each => {
    const [, day, position] = /^(\d)#([1-5L])$/.exec(each) ?? []
    return day === undefined ? undefined : `${POSITIONS[position!]!} ${WEEKDAYS[Number(day) % 7]!}`
  })
  return names.includes(undefined) ? undefined : `on the ${joined(names as string[])} of every month`
}

function monthsInWords(month: string): string | undefined {
  const found = numbers(month, 12)
  return found && joined(found.map(each => MONTHS[each - 1] ?? String(each)))
}

/** The numbers of a field that is a list of numbers and ranges; undefined for anything else. */
function numbers(field: string, highest: number): number[] | undefined {
  const found: number[] = []
  for (const part of field.split(',')) {
    const [, from, to] = /^(\d+)(?:-(\d+))?$/.exec(part) ?? []
    if (from === undefined) return undefined
    const [first, last] = [Number(from), Number(to ?? from)]
    if (last > highest) return undefined
    for (let each = first; each <= last; each++) found.push(each)
  }
  return found
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

const joined = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)!}`
