import { z } from 'zod'
import type { ScheduleReading } from '../../src/main/schedules/parse-schedule.ts'

const SECONDS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 }

const DAY_FIELD = /^[\dA-Za-z*,/#-]+$/
const isCron = (text: string) => {
  const fields = text.trim().split(' ')
  return fields.length === 5 && fields.every(field => DAY_FIELD.test(field))
}

/**
 * The bounds at the end of a label, in local time: ` from 2026-12-01T00:00` and ` until 2026-12-31T23:59`.
 */
const BOUND = / (from|until) (\d{4}-\d\d-\d\dT\d\d:\d\d)/g

/** A label without its bounds, and the bounds. */
export const splitBounds = (label: string): { base: string; bounds: Record<string, string> } => ({
  base: label.replace(BOUND, ''),
  bounds: Object.fromEntries([...label.matchAll(BOUND)].map(([, word = '', wall = '']) => [word, wall])),
})

/** A label, in the forms that `wanted` names. */
export const Label = z.string().refine(given => {
  const label = splitBounds(given).base
  return (
    label === 'refused' ||
    /^[~+]\d+[smhd]$/.test(label) ||
    (label.startsWith('@') && !Number.isNaN(Date.parse(label.slice(1)))) ||
    /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(label) ||
    label.split(';').every(isCron)
  )
}, 'no label: refused, cron;cron, ~2h, +20m, @instant or 2026-12-24T08:00')

/**
 * A label in the form of `comparable`. A label is `refused`, cron patterns separated by `;`, `~2h` for an
 * interval, `+20m` for elapsed time from now, an instant after an `@`, or a local time such as
 * `2026-12-24T08:00`. Bounds for its begin and end may follow.
 */
export function wanted(label: string, now: Date): string {
  const { base, bounds } = splitBounds(label)
  return wantedBase(base, now) + boundsText(bounds)
}

const boundsText = ({ from, until }: Record<string, string | undefined>) =>
  `${from === undefined ? '' : ` from ${from}`}${until === undefined ? '' : ` until ${until}`}`

function wantedBase(label: string, now: Date): string {
  const [, sign, count, unit = ''] = /^([~+])(\d+)([smhd])$/.exec(label) ?? []
  const seconds = Number(count) * SECONDS[unit]!
  if (sign === '~') return `every ${seconds} seconds`
  if (sign === '+') return new Date(now.getTime() + seconds * 1000).toISOString()
  if (label.startsWith('@')) return new Date(label.slice(1)).toISOString()
  if (/^\d{4}-/.test(label)) return `${label}:00`
  return label === 'refused' ? label : spreadPatterns(label.split(';'))
}

/** A reading as a text, so that equal schedules are equal texts. */
export function comparable(reading: ScheduleReading): string {
  if (reading.kind === 'refused') return reading.kind
  const { rule, zone } = reading
  const shown = (instant: string | undefined) =>
    instant === undefined
      ? undefined
      : new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
          .format(new Date(instant))
          .replace(' ', 'T')
  if (rule.kind === 'calendar') {
    const cycle = rule.cycle ? ` every ${rule.cycle.count} ${rule.cycle.unit}s from ${rule.cycle.from}` : ''
    return (
      spreadPatterns(rule.patterns) + cycle + boundsText({ from: shown(rule.from), until: shown(rule.until) })
    )
  }
  if (rule.kind === 'interval')
    return `every ${rule.seconds} seconds${boundsText({ until: shown(rule.until) })}`
  return rule.kind === 'wall' ? rule.wall : rule.at
}

/** Split patterns into patterns with one minute and one hour each, and without ranges. */
function spreadPatterns(patterns: readonly string[]): string {
  const single = patterns.flatMap(pattern => {
    const [minutes, hours, ...days] = pattern.split(' ').map((field, at) => spreadField(field, at === 4))
    return minutes!.flatMap(minute => hours!.map(hour => [minute, hour, ...days.map(String)].join(' ')))
  })
  return single.toSorted().join('; ')
}

const DAY_NAMES = 'SUN MON TUE WED THU FRI SAT'.split(' ')

function spreadField(field: string, isWeekday: boolean): string[] {
  const numbers = field.replace(/[A-Z]{3}/gi, name => String(DAY_NAMES.indexOf(name.toUpperCase())))
  const values = numbers.split(',').flatMap(value => {
    const [, from, to] = /^(\d+)-(\d+)$/.exec(value) ?? []
    if (from === undefined) return [isWeekday && value === '7' ? '0' : value]
    return Array.from({ length: Number(to) - Number(from) + 1 }, (_, index) => String(Number(from) + index))
  })
  return values.toSorted()
}
