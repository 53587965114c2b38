import { matchAny } from '../match-any.ts'
import { wallOf, isKnownZone, daysBetween, type Wall } from '../../../schedules/wall-clock.ts'
import type { Known } from '../known-facts.ts'
import { fillSentence, saySentence } from '../sentence-table.ts'
import { answerSpan } from './answer-span.ts'
import { answerTime } from './answer-time.ts'
import { findDay, wordSet } from './find-day.ts'
import { daysInMonth, readDay, type Day } from './read-day.ts'
import {
  isLeapYear,
  nameMonth,
  nameWeekday,
  readMonth,
  weekNumber,
  weekdayOf,
  writeCount,
  writeDay,
} from './write-day.ts'

const LONGEST = 120
/** The words around the day in a question for its date or weekday. */
const DAY_FRAME = wordSet(
  'what which when day days date weekday of the week is was were will be would it that this we have do does did fall falls fell on for a and name me tell',
)
/** Words that a question about a day must contain. */
const ASKS_DAY = /\b(?:day|date|weekday)\b|\bwhen (?:is|was|will|does|do|did)\b/
const LEAP_FRAME = wordSet('is was were will be the year a leap leapyear or not if it an')
const NOW_DAY = matchAny`
      (?:what (?:day|date)|which (?:day|date)|what weekday|which weekday|what day of the week)(?: (?:is|do we have))?(?: it| today| we have)*(?: (?:now|right now|currently|today|of the week|is it|is))*
      what (?:is|s) (?:the |today's |the current |today's current )?(?:date|day|weekday|day of the week)(?: (?:and time|today|now|right now|is it))*
      (?:today's |the |current |the current )?(?:date|day|weekday)(?: (?:today|now|please))?|what is today
      today|(?:date|day) today|(?:the )?date of today`
const NOW_YEAR = matchAny`
      (?:what|which)(?: is the)?(?: current)? year(?: (?:is it|is this|it is|do we have|are we in|is|now|is it now))*
      (?:the )?current year`
const NOW_MONTH = matchAny`
      (?:what|which)(?: is the)?(?: current)? month(?: (?:is it|is this|it is|do we have|are we in|is|now))*
      (?:the )?current month`
const WEEK = matchAny`
      (?:what|which)(?: is)?(?: the)?(?: current| calendar)? ?(?:week number|week of the year|calendar week|number of the week|number of this week|week)(?: (?:of the year|number))?(?: (?:is it|is this|it is|do we have|are we in|is|now|this is|this week))*(?: (?:today|now))?
      (?:the )?(?:current )?(?:week number|calendar week)`
const WEEK_OF = matchAny`
      (?:what|which)(?: is the)? (?:week number|calendar week|week)(?: of the year)?(?: (?:is|was|will be|for|of|does|has))*(?: (?:on|in))? (?<day>.+?)(?: (?:in|have|fall in|is in))?`
const NEXT_LEAP = matchAny`
      (?:when|what|which)(?: year)? (?:is|will be) (?:the |a )?next leap ?year|(?:the )?next leap ?year`
const IS_DAY = matchAny`
      (?:is|was|will) (?<day>.+?) (?:be )?(?:on )?an? (?<weekday>monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekend|weekday|workday|working day)
      is (?:it|today) (?:the )?(?<now>monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekend)(?: (?:today|now|yet|already))?`
const MONTH_HAS = matchAny`
      how many days (?:does|do|has|have|are (?:there )?in|are there|in|is in)? ?(?:the month of )?(?<month>[a-z]{3,9}|this month|next month|this year|next year|a year|a leap year|(?:the year )?\d{4})(?: (?<year>\d{4}))?(?: (?:have|has|got))?`

/** Answer a question about days and times; undefined for others, or if a day is not understood. */
export function answerDay(question: string, known: Pick<Known, 'now' | 'zone'>): string | undefined {
  if (question.length > LONGEST) return undefined
  const zone = isKnownZone(known.zone) ? known.zone : 'UTC'
  const today = wallOf(known.now, zone)
  const plain = question
    .replace(/^(?:so|and) /, '')
    .replace(/(?: (?:exactly|currently|right now|at the moment))+$/, '')
  return (
    answerTime(plain, known.now, zone, today) ??
    answerNow(plain, today) ??
    answerCalendar(plain, today) ??
    answerSpan(plain, known.now, zone, today) ??
    answerNamed(plain, today)
  )
}

function answerNow(plain: string, today: Wall): string | undefined {
  if (NOW_DAY.test(plain)) return fillSentence('today', { day: writeDay(today) })
  if (NOW_YEAR.test(plain)) return fillSentence('yearIs', { number: String(today.year) })
  if (NOW_MONTH.test(plain))
    return fillSentence('monthIs', { month: nameMonth(today.month), number: String(today.year) })
  if (WEEK.test(plain)) return fillSentence('weekIs', { number: String(weekNumber(today)) })
  return undefined
}

function answerCalendar(plain: string, today: Wall): string | undefined {
  const leap =
    /^(?:is|was|will|were) /.test(plain) && plain.includes('leap') ? leapYearIn(plain, today) : undefined
  if (leap !== undefined) return fillSentence(isLeapYear(leap) ? 'leap' : 'noLeap', { number: String(leap) })
  if (NEXT_LEAP.test(plain)) {
    let year = today.year + 1
    while (!isLeapYear(year)) year++
    return fillSentence('nextLeap', { number: String(year) })
  }
  const has = MONTH_HAS.exec(plain)?.groups
  if (has) return sayLength(has['month']!, has['year'], today)
  const week = WEEK_OF.exec(plain)?.groups?.['day']
  const ofWeek = week === undefined ? undefined : readDay(week, today, 'next')
  if (ofWeek)
    return fillSentence('weekOf', { day: writeDay(ofWeek.day), number: String(weekNumber(ofWeek.day)) })
  return answerIsDay(plain, today)
}

/** How many days a month or a year has. */
function sayLength(named: string, ofYear: string | undefined, today: Wall): string | undefined {
  const year =
    /(\d{4})$/.exec(named)?.[1] ??
    (named === 'this year' ? String(today.year) : named === 'next year' ? String(today.year + 1) : undefined)
  if (year !== undefined)
    return fillSentence('yearHas', {
      number: year,
      count: writeCount(isLeapYear(Number(year)) ? 366 : 365, 'day'),
    })
  const next =
    today.month === 12 ? { year: today.year + 1, month: 1 } : { year: today.year, month: today.month + 1 }
  const month =
    named === 'this month'
      ? today
      : named === 'next month'
        ? next
        : { year: today.year, month: readMonth(named) ?? 0 }
  if (month.month === 0) return undefined
  const shown = ofYear === undefined ? month.year : Number(ofYear)
  return fillSentence('monthHas', {
    month: nameMonth(month.month),
    number: String(shown),
    count: writeCount(daysInMonth(shown, month.month), 'day'),
  })
}

/** “Is tomorrow a Monday?” */
function answerIsDay(plain: string, today: Wall): string | undefined {
  const groups = IS_DAY.exec(plain)?.groups
  if (!groups) return undefined
  const wanted = groups['weekday'] ?? groups['now']!
  const named = groups['day']
  const read = named === undefined || named === 'it' ? { day: today } : readDay(named, today, 'same')
  if (!read) return undefined
  const isEnd = weekdayOf(read.day) > 5
  const isRight =
    wanted === 'weekend'
      ? isEnd
      : /^(?:weekday|work)/.test(wanted)
        ? !isEnd
        : nameWeekday(read.day).toLowerCase() === wanted
  return fillSentence(isRight ? 'yesDay' : 'noDay', { day: writeDay(read.day) })
}

/** The year in a question such as “is X a leap year”. */
function leapYearIn(plain: string, today: Wall): number | undefined {
  const near = plain.replace(/\b(?:this|next|last) year\b(?!.*\byear\b.*\d)/, found =>
    String(today.year + (found.startsWith('next') ? 1 : found.startsWith('last') ? -1 : 0)),
  )
  const words = near.split(' ')
  const years = words.filter(word => /^\d{3,4}$/.test(word))
  const isPlain = words.every(word => LEAP_FRAME.has(word) || word === 'in' || /^\d{3,4}$/.test(word))
  return isPlain && years.length === 1
    ? Number(years[0])
    : /^is (?:it|this) a leap year$/.test(plain)
      ? today.year
      : undefined
}

function answerNamed(plain: string, today: Wall): string | undefined {
  // “the day after tomorrow” is both the question and its answer.
  const asksDay = ASKS_DAY.test(plain)
  if (
    !asksDay ||
    !/^(?:what|which|when|on|the|date|day|weekday|\d|[a-z]+ (?:is|was) (?:what|which))\b/.test(plain)
  )
    return undefined
  const isPast = /\b(?:was|did|fell|were)\b/.test(plain)
  const direction = plain.includes(' this year') ? 'same' : isPast ? 'last' : 'next'
  const found = findDay(plain.replace(' this year', ''), DAY_FRAME, today, direction)
  if (!found || !/\b(?:what|which|when|date|weekday)\b/.test(found.around)) return undefined
  return 'flaw' in found ? saySentence(found.flaw) : sayDay(found.day, today)
}

const sayDay = (day: Day, today: Wall): string => {
  const away = daysBetween(today, day)
  if (away === 0) return fillSentence('today', { day: writeDay(day) })
  return fillSentence(away < 0 ? 'thatDayWas' : 'thatDayIs', { day: writeDay(day) })
}
