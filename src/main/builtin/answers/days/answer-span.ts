import { addDays, daysBetween, wallOf, type Wall } from '../../../schedules/wall-clock.ts'
import { fillSentence, saySentence } from '../sentence-table.ts'
import { findDay, wordSet } from './find-day.ts'
import { findDateFlaw, readDay, type Day } from './read-day.ts'
import { writeCount, writeDay } from './write-day.ts'

/** The words around the day in a question for how long it is until or since then. */
const SPAN_FRAME = wordSet(
  'how many much long far days day weeks week months month hours hour nights sleeps minutes time is are was were it there do does did we i have has had been ' +
    'left more still remaining to go until before since ago away off from take takes will be till passed past gone by the and longer countdown number of wait now today comes starts here arrives in',
)
const ASKS_SPAN = /^(?:how (?:many|much|long|far)|days|weeks|countdown|time|number of)\b/
const AHEAD = /\b(?:until|to|before|away|off|left|till)\b|\bhow (?:far|long) (?:is|from)\b/
const BETWEEN =
  /^(?:how (?:many )?(?<unit>days|weeks|long)(?: (?:are|is|is it|are there|there are|lie|lies|pass|it is|were there))*|(?:the )?(?:number of )?(?<unit2>days|weeks))(?: in)? (?:between|from) (?<from>.+?) (?:and|to|until|till) (?<to>.+)$/
const LEFT =
  /^how (?:many )?(?<unit>days|weeks|months) (?:are |is )?(?:left|remaining|remain|do we have left|are there left|until the end) ?(?:in|of)? (?<of>this year|the year|this month|the month|\d{4})$/

/** Answer how long it is until, since or between days. */
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
  return answerDistance(plain, now, zone, today)
}

function answerDistance(plain: string, now: Date, zone: string, today: Wall): string | undefined {
  if (!ASKS_SPAN.test(plain)) return undefined
  const isBack = /\b(?:since|ago|passed|past|been|gone)\b/.test(plain)
  const found = findDay(plain, SPAN_FRAME, today, isBack ? 'last' : 'next')
  if (!found || !(isBack || AHEAD.test(found.around))) return undefined
  if ('flaw' in found) return saySentence(found.flaw)
  return sayDistance(
    found.day,
    /\b(?:day|week|month|hour|minute)s?\b/.exec(found.around)?.[0] ?? 'long',
    now,
    zone,
    today,
  )
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

/** How far away a day is, in the future or the past. */
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

/** Hours until a day begins in a zone, whose clocks may change in between. */
function hoursUntil(day: Day, now: Date, zone: string): number {
  const start = Date.UTC(day.year, day.month - 1, day.day)
  const wall = wallOf(new Date(start), zone)
  const shift = Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute) - start
  return Math.max(0, (start - shift - now.getTime()) / 3_600_000)
}
