import type { NamedDate } from '../../../schedules/read/clause.ts'
import { readDate } from '../../../schedules/read/read-dates.ts'
import { tokensOf, valueOf } from '../../../schedules/read/time-tokens.ts'
import { addDays, isRealDay, type Wall } from '../../../schedules/wall-clock.ts'
import { replaceNumberWords } from '../sums/number-words.ts'

/** A calendar day. */
export type Day = { year: number; month: number; day: number }

type ReadDay = { day: Day }

/** Which year to use for a date without one: the next such date, the last one, or the one in this year. */
export type Direction = 'next' | 'last' | 'same'

const OFFSETS: Readonly<Record<string, number>> = {
  today: 0,
  now: 0,
  tonight: 0,
  tomorrow: 1,
  yesterday: -1,
  "tomorrow's": 1,
  "yesterday's": -1,
  "today's": 0,
  'the day after tomorrow': 2,
  'day after tomorrow': 2,
  'the day before yesterday': -2,
  'day before yesterday': -2,
}

/** Holidays and other named days, in every year. */
const HOLIDAYS: readonly [RegExp, (year: number) => Day][] = [
  [/^christmas(?: day)?$/, year => ({ year, month: 12, day: 25 })],
  [/^(?:christmas|x-mas) eve$/, year => ({ year, month: 12, day: 24 })],
  [/^boxing day$/, year => ({ year, month: 12, day: 26 })],
  [/^new year(?:'?s)?(?: day)?$/, year => ({ year, month: 1, day: 1 })],
  [/^(?:new year(?:'?s)? eve|silvester)$/, year => ({ year, month: 12, day: 31 })],
  [/^(?:st\.? )?valentine'?s?(?: day)?$/, year => ({ year, month: 2, day: 14 })],
  [/^halloween$/, year => ({ year, month: 10, day: 31 })],
  [/^(?:st\.? )?nicholas(?: day)?$/, year => ({ year, month: 12, day: 6 })],
  [/^easter(?: sunday)?$/, easterOf],
  [/^easter monday$/, year => addDays(easterOf(year), 1)],
  [/^good friday$/, year => addDays(easterOf(year), -2)],
  [
    /^(?:the )?(?:end of (?:the|this) year|year'?s end|last day of (?:the|this) year)$/,
    year => ({ year, month: 12, day: 31 }),
  ],
]

const SPAN =
  /^(?:in )?(an?|\d{1,5}) (days?|weeks?|months?|years?|fortnights?)(?:'? time)?(?: (from|after|before|ago|later|earlier|back|hence)(?: (.+))?)?$/

/** The day that a text denotes; undefined if the text is anything else. */
export function readDay(text: string, today: Wall, direction: Direction): ReadDay | undefined {
  const plain = replaceNumberWords(text.trim().replace(/^(?:on|the date of|the date|of|it) /, '')).replace(
    /^the (?=\d)/,
    '',
  )
  const offset = Object.hasOwn(OFFSETS, plain) ? OFFSETS[plain] : undefined
  if (offset !== undefined) return { day: addDays(today, offset) }
  return (
    readSpan(plain, today, direction) ??
    readHoliday(plain, today, direction) ??
    readWeekday(plain, today) ??
    readCalendar(plain, today, direction)
  )
}

/** Read `3 weeks ago`, `in 90 days` or `10 days before christmas`. */
function readSpan(text: string, today: Wall, direction: Direction): ReadDay | undefined {
  const [whole, count, unit, where, from] = SPAN.exec(text) ?? []
  if (whole === undefined || count === undefined || unit === undefined) return undefined
  if (where === undefined && !text.startsWith('in ') && !whole.endsWith(' time')) return undefined
  const start = from === undefined ? { day: today } : readDay(from, today, direction)
  const needsStart = where === 'from' || where === 'after' || where === 'before'
  if (!start || (needsStart && from === undefined)) return undefined
  const isBack = where !== undefined && ['before', 'ago', 'earlier', 'back'].includes(where)
  const number = (count.startsWith('a') ? 1 : Number(count)) * (isBack ? -1 : 1)
  return { day: addUnit(start.day, number, unit) }
}

function addUnit(day: Day, number: number, unit: string): Day {
  if (unit.startsWith('day')) return addDays(day, number)
  if (unit.startsWith('week')) return addDays(day, number * 7)
  if (unit.startsWith('fortnight')) return addDays(day, number * 14)
  const months = day.year * 12 + day.month - 1 + (unit.startsWith('year') ? number * 12 : number)
  const [year, month] = [Math.floor(months / 12), (((months % 12) + 12) % 12) + 1]
  // The 31st becomes the last day in a shorter month.
  const last = daysInMonth(year, month)
  return { year, month, day: Math.min(day.day, last) }
}

/** How many days a month has. */
export const daysInMonth = (year: number, month: number): number =>
  new Date(Date.UTC(year, month, 0)).getUTCDate()

function readHoliday(text: string, today: Wall, direction: Direction): ReadDay | undefined {
  const [, name = text, year, near] =
    /^(.+?)(?: (?:in |of )?((?:19|20|21)\d\d)| (this|next|last) year)?$/.exec(
      text.replace(/^(?:next|the next|the) (?!day)/, ''),
    ) ?? []
  const of = HOLIDAYS.find(([pattern]) => pattern.test(name))?.[1]
  if (!of) return undefined
  if (year !== undefined) return { day: of(Number(year)) }
  const shift = near === undefined ? undefined : { this: 0, next: 1, last: -1 }[near]
  if (shift !== undefined) return { day: of(today.year + shift) }
  return { day: inYear(of, today, direction) }
}

/** Choose the year of a date: the next such date, the last one, or the one in this year. */
function inYear(of: (year: number) => Day, today: Wall, direction: Direction): Day {
  const now = order(today)
  const own = of(today.year)
  if (direction === 'next' && order(own) < now) return of(today.year + 1)
  if (direction === 'last' && order(own) > now) return of(today.year - 1)
  return own
}

const order = ({ year, month, day }: Day) => year * 10_000 + month * 100 + day

function readWeekday(text: string, today: Wall): ReadDay | undefined {
  const [, which, name] =
    /^(?:(next|this|coming|last|this coming|the coming|the next|the last) )?([a-z]+)$/.exec(text) ?? []
  const [token, ...rest] = name === undefined ? [] : tokensOf(name)
  const weekday = valueOf(token, 'weekday')
  if (weekday === undefined || rest.length > 0) return undefined
  const ahead = (weekday - today.weekday + 7) % 7
  const isPast = which?.endsWith('last') === true
  const days = isPast ? (ahead === 0 ? -7 : ahead - 7) : ahead === 0 ? 7 : ahead
  return { day: addDays(today, days) }
}

/** Read a date by day and month, `2026-12-24`, or a day of this month. */
function readCalendar(text: string, today: Wall, direction: Direction): ReadDay | undefined {
  const tokens = tokensOf(text)
  const found = tokens.length > 0 && tokens.length < 10 ? readDate(tokens, 0) : undefined
  if (found?.end === tokens.length && found.value.kind === 'date')
    return ofDate(found.value.date, today, direction)
  const [, ordinal] = /^(?:the )?(\d{1,2})(?:st|nd|rd|th)(?: of (?:this|the) month)?$/.exec(text) ?? []
  const day = { year: today.year, month: today.month, day: Number(ordinal) }
  return ordinal !== undefined && isRealDay(day) ? { day } : undefined
}

function ofDate({ year, month, day }: NamedDate, today: Wall, direction: Direction): ReadDay | undefined {
  if (year !== undefined) return { day: { year, month, day } }
  const found = inYear(of => ({ year: of, month, day }), today, direction)
  return isRealDay(found) ? { day: found } : undefined
}

/** Why a text that looks like a date is not one: the day does not exist, or the date is ambiguous. */
export function findDateFlaw(text: string): 'noSuchDay' | 'twoWays' | undefined {
  const tokens = tokensOf(text.replace(/^on /, ''))
  const found = tokens.length > 0 && tokens.length < 10 ? readDate(tokens, 0) : undefined
  if (found?.end !== tokens.length || found.value.kind !== 'open') return undefined
  if (/no such date/i.test(found.value.open)) return 'noSuchDay'
  return /which is the month/.test(found.value.open) ? 'twoWays' : undefined
}

/** Easter Sunday, by the usual algorithm for the Gregorian calendar. */
function easterOf(year: number): Day {
  const a = year % 19
  const b = Math.floor(year / 100)
  const c = year % 100
  const h = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const sum = h + l - 7 * m + 114
  return { year, month: Math.floor(sum / 31), day: (sum % 31) + 1 }
}
