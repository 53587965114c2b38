import { addDays, daysBetween, wallOf, type Wall } from '../../../schedules/wall-clock.ts'
import { fillSentence, saySentence } from '../sentence-table.ts'
import { findDateFlaw, readDay, type Day } from './read-day.ts'
import { writeCount, writeDay } from './write-day.ts'

const UNIT = '(?<unit>days?|weeks?|months?|hours?|nights?|minutes?|long|much time|much longer|many sleeps)'
const UNTIL = new RegExp(
  String.raw`^how (?:many )?${UNIT}(?: (?:is it|is there|are there|are|is|do i have|do we have|will it be|does it take|it is|there are))?(?: (?:left|more|still|remaining|to go))*(?: (?:until|to|before|till|up to))(?: the)? (?<day>.+?)(?: (?:comes|starts|is here|arrives))?$`,
)
const SINCE = new RegExp(
  String.raw`^how (?:many )?${UNIT}(?: (?:is it|has it been|have passed|passed|have gone by|ago (?:is|was)|went by|are there|it is|have we had|did pass))*(?: since| ago (?:is|was))?(?: the)? (?<day>.+?)$`,
)
const UNTIL_SHORT = /^(?:days|time|countdown|weeks)(?: left)? (?:until|to|till|before) (?:the )?(?<day>.+)$/
const FROM_NOW =
  /^how (?:many )?(?<unit>days|weeks|long) away is (?:the )?(?<day>.+)$|^how far (?:away |off )?is (?:the )?(?<day2>.+?)(?: away)?$/
const BETWEEN =
  /^(?:how (?:many )?(?<unit>days|weeks|long)(?: (?:are|is|is it|are there|there are|lie|lies|pass|it is|were there))*|(?:the )?(?:number of )?(?<unit2>days|weeks))(?: in)? (?:between|from) (?<from>.+?) (?:and|to|until|till) (?<to>.+)$/
const LEFT =
  /^how (?:many )?(?<unit>days|weeks|months) (?:are |is )?(?:left|remaining|remain|do we have left|are there left|until the end) ?(?:in|of)? (?<of>this year|the year|this month|the month|\d{4})$/

/** The answer to how long it is until, since or between days. */
export function answerSpan(plain: string, now: Date, zone: string, today: Wall): string | undefined {
  const left = LEFT.exec(plain)?.groups
  if (left) return sayLeft(left['of']!, left['unit']!, today)
  const between = BETWEEN.exec(plain)?.groups
  if (between) {
    const from = readDay(between['from']!, today, 'next')
    const to = readDay(between['to']!, today, 'next')
    const flaw = from && to ? undefined : (findDateFlaw(between['from']!) ?? findDateFlaw(between['to']!))
    if (flaw) return saySentence(flaw)
    if (from && to) return sayBetween(from.day, to.day, between['unit'] ?? between['unit2'] ?? 'days')
  }
  const until = (UNTIL.exec(plain) ?? UNTIL_SHORT.exec(plain) ?? FROM_NOW.exec(plain))?.groups
  const ahead = until && (until['day'] ?? until['day2'])
  if (ahead !== undefined) {
    const read = readDay(ahead, today, 'next')
    if (read) return sayDistance(read.day, until?.['unit'] ?? 'days', now, zone, today)
    const flaw = findDateFlaw(ahead)
    if (flaw) return saySentence(flaw)
  }
  const since = /\b(?:since|ago)\b/.test(plain) ? SINCE.exec(plain)?.groups : undefined
  const read = since && readDay(since['day']!, today, 'last')
  return read && sayDistance(read.day, since['unit']!, now, zone, today)
}

function sayLeft(named: string, unit: string, today: Wall): string | undefined {
  const isMonth = named.endsWith('month')
  const year = /^\d/.test(named) ? Number(named) : today.year
  const first = isMonth
    ? { year: today.month === 12 ? today.year + 1 : today.year, month: (today.month % 12) + 1, day: 1 }
    : { year: year + 1, month: 1, day: 1 }
  const last = addDays(first, -1)
  if (daysBetween(today, last) < 0) return undefined
  return sayDistance(last, unit, new Date(0), 'UTC', today)
}

function sayBetween(from: Day, to: Day, unit: string): string {
  const days = Math.abs(daysBetween(from, to))
  const isWeeks = unit.startsWith('week') && days % 7 === 0
  return fillSentence('between', {
    day1: writeDay(from),
    day2: writeDay(to),
    count: isWeeks ? writeCount(days / 7, 'week') : writeCount(days, 'day'),
  })
}

/** How far away a day is, to come or past. */
function sayDistance(day: Day, unit: string, now: Date, zone: string, today: Wall): string {
  const away = daysBetween(today, day)
  if (away === 0) return fillSentence('isToday', { day: writeDay(day) })
  const kind = away > 0 ? 'until' : 'since'
  const days = Math.abs(away)
  const shown = { day: writeDay(day) }
  if (unit.startsWith('hour') && away > 0) {
    const hours = Math.floor(hoursUntil(day, now, zone))
    return fillSentence(kind, { count: writeCount(hours, 'hour'), ...shown })
  }
  if (days < 14 || unit.startsWith('day'))
    return fillSentence(kind, { count: writeCount(days, 'day'), ...shown })
  const rest = days % 7 === 0 ? '' : ` and ${writeCount(days % 7, 'day')}`
  return fillSentence(kind === 'until' ? 'untilBoth' : 'sinceBoth', {
    count: writeCount(days, 'day'),
    weeks: `${writeCount(Math.floor(days / 7), 'week')}${rest}`,
    ...shown,
  })
}

/** Hours until a day begins in a zone, whose clocks may change on the way. */
function hoursUntil(day: Day, now: Date, zone: string): number {
  const start = Date.UTC(day.year, day.month - 1, day.day)
  const wall = wallOf(new Date(start), zone)
  const shift = Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute) - start
  return Math.max(0, (start - shift - now.getTime()) / 3_600_000)
}
