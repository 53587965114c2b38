import { splitBounds } from './compare-rules.ts'

/** A day in the calendar of a zone. */
type Day = { year: number; month: number; day: number }

const MINUTE = 60_000
const DAY = 86_400_000
/** How many days to look ahead. Leap days are the rarest days in a label. */
const MOST_DAYS = 366 * 13
const NAMES = 'SUN MON TUE WED THU FRI SAT'.split(' ')

/**
 * The next instants of a label (`compare-rules.ts`) after `now`. They are counted day by day, without the
 * product's library for patterns, so that the two can be compared. Undefined if the label is a refusal.
 */
export function expectedInstants(
  given: string,
  { now, zone, count = 3 }: { now: Date; zone: string; count?: number },
): Date[] | undefined {
  if (given === 'refused') return undefined
  const { base, bounds } = splitBounds(given)
  const { from, until } = bounds
  const start = from === undefined ? now : new Date(instantOf(from, zone).getTime() - 1)
  const found = unboundInstants(base, { now: start, zone, count })
  return until === undefined ? found : found.filter(each => each <= instantOf(until, zone))
}

function unboundInstants(
  label: string,
  { now, zone, count }: { now: Date; zone: string; count: number },
): Date[] {
  const [, sign, amount, unit = ''] = /^([~+])(\d+)([smhd])$/.exec(label) ?? []
  const span = Number(amount) * ({ s: 1_000, m: MINUTE, h: 60 * MINUTE, d: DAY }[unit] ?? 0)
  if (sign === '+') return [new Date(now.getTime() + span)]
  if (sign === '~') return Array.from({ length: count }, (_, at) => new Date(now.getTime() + span * (at + 1)))
  if (label.startsWith('@')) return [new Date(label.slice(1))]
  if (/^\d{4}-/.test(label)) return [instantOf(label, zone)]
  const times = new Set<number>()
  const first = wallOf(now, zone)
  const patterns = label.split(';').map(each => each.trim().split(' '))
  for (let at = 0; at < MOST_DAYS && times.size < count; at++) {
    const date = new Date(Date.UTC(first.year, first.month - 1, first.day + at))
    const day = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
    for (const [minutes = '', hours = '', ...days] of patterns) {
      if (!isDay(day, days)) continue
      for (const hour of numbersOf(hours, 0, 23))
        for (const minute of numbersOf(minutes, 0, 59)) {
          const instant = instantOf(`${date.toISOString().slice(0, 10)}T${two(hour)}:${two(minute)}`, zone)
          if (instant > now) times.add(instant.getTime())
        }
    }
  }
  return [...times]
    .toSorted((a, b) => a - b)
    .slice(0, count)
    .map(time => new Date(time))
}

const two = (number: number) => String(number).padStart(2, '0')

/**
 * Whether the fields of a pattern for days, months and weekdays match a day. If days and weekdays are both
 * named, either matches.
 */
function isDay(date: Day, [days = '*', months = '*', weekdays = '*']: readonly string[]): boolean {
  if (!numbersOf(months, 1, 12).includes(date.month)) return false
  const byDate = () => days.split(',').some(each => isDateOf(each, date))
  const byWeekday = () => weekdays.split(',').some(each => isWeekdayOf(each, date))
  if (days === '*') return weekdays === '*' || byWeekday()
  return weekdays === '*' ? byDate() : byDate() || byWeekday()
}

const lastOf = ({ year, month }: Day) => new Date(Date.UTC(year, month, 0)).getUTCDate()
const weekdayOf = ({ year, month, day }: Day) => new Date(Date.UTC(year, month - 1, day)).getUTCDay()

function isDateOf(field: string, date: Day): boolean {
  if (field === 'L') return date.day === lastOf(date)
  if (field === 'LW') {
    const last = weekdayOf({ ...date, day: lastOf(date) })
    return date.day === lastOf(date) - (last === 0 ? 2 : last === 6 ? 1 : 0)
  }
  return numbersOf(field, 1, 31).includes(date.day)
}

function isWeekdayOf(field: string, date: Day): boolean {
  const [name = '', which] = field.split('#')
  const numbers = name.replace(/[A-Z]{3}/gi, each => String(NAMES.indexOf(each.toUpperCase())))
  if (!numbersOf(numbers, 0, 7).some(each => each % 7 === weekdayOf(date))) return false
  if (which === undefined) return true
  return which === 'L' ? date.day > lastOf(date) - 7 : Math.ceil(date.day / 7) === Number(which)
}

function numbersOf(field: string, least: number, most: number): number[] {
  return field.split(',').flatMap(part => {
    const [range = '', step = '1'] = part.split('/')
    const [from = '', to = from] = range.split('-')
    const [start, end] = range === '*' ? [least, most] : [Number(from), Number(to)]
    return Array.from({ length: end - start + 1 }, (_, at) => start + at).filter(
      each => (each - start) % Number(step) === 0,
    )
  })
}

const clocks = new Map<string, Intl.DateTimeFormat>()

/** The time on the clocks of a zone at an instant. */
function wallOf(instant: Date, zone: string): Day & { time: number } {
  const clock =
    clocks.get(zone) ??
    new Intl.DateTimeFormat('en', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  clocks.set(zone, clock)
  const parts = new Map(clock.formatToParts(instant).map(({ type, value }) => [type, Number(value)]))
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0
  const [year, month, day] = [part('year'), part('month'), part('day')]
  return {
    year,
    month,
    day,
    time: Date.UTC(year, month - 1, day, part('hour'), part('minute'), part('second')),
  }
}

/**
 * The first instant at which the clocks of a zone show a time such as `2026-12-24T08:00`. For a skipped time,
 * the first instant after the gap.
 */
function instantOf(wall: string, zone: string): Date {
  const time = Date.parse(`${wall.slice(0, 16)}:00Z`)
  const offsets = [-1, 1].map(days => {
    const near = new Date(time + days * DAY)
    return wallOf(near, zone).time - near.getTime()
  })
  const fits = offsets
    .map(offset => new Date(time - offset))
    .filter(each => wallOf(each, zone).time === time)
    .toSorted((a, b) => a.getTime() - b.getTime())
  if (fits[0]) return fits[0]
  // The time is skipped. A gap begins at a whole minute, between the two instants that the two offsets give.
  const [from, to] = offsets.map(offset => time - offset).toSorted((a, b) => a - b) as [number, number]
  for (let at = from - (from % MINUTE); at <= to; at += MINUTE)
    if (wallOf(new Date(at), zone).time > time) return new Date(at)
  return new Date(to)
}
