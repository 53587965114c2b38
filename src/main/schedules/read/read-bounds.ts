import { DAY, isUnplannable, type Clause, type End, type Found } from './clause.ts'
import { readNamedDate } from './read-dates.ts'
import { readNumber } from './read-times.ts'
import { isKind, isSign, skipKinds, valueOf, type Token } from './time-tokens.ts'
import { readNearDay } from './read-weekdays.ts'

type Tokens = readonly Token[]

const STARTS = /^(starting|beginning|start|begin|from|ab|beginnend|startend|commencing|effective|von|vom)$/i
const ENDS = /^(until|till|til|through|bis|thru|ending|endend)$/i
const INCLUDING = /^(including|incl|inclusive|einschließlich|inklusive)$/i
const AMBIGUOUS_MONTH =
  'Up to the beginning of that month, or to its end? Give the last day, as in “until 28 February”.'

/** Read the start: `starting 1 December`, `beginning on Monday`, `ab morgen`, `from December 1`. */
export function readStart(tokens: Tokens, at: number): Found<Clause> | undefined {
  if (!STARTS.test(tokens[at]?.text ?? '') && !isAsOf(tokens, at)) return undefined
  const start = skipKinds(tokens, isAsOf(tokens, at) ? at + 2 : at + 1, 'on', 'in', 'at', 'article', 'start')
  const from = /^(mit|with)$/i.test(tokens[start]?.text ?? '')
    ? skipKinds(tokens, start + 1, 'article')
    : start
  const isNow = /^(now|jetzt)$/i.test(tokens[from]?.text ?? '') && !/^(from|von|vom)$/i.test(tokens[at]!.text)
  if (isNow || /^sofort$/i.test(tokens[from]?.text ?? ''))
    return { value: { kind: 'start', day: { kind: 'offset', days: 0 } }, end: from + 1 }
  const month = readMonthAlone(tokens, from)
  if (month)
    return {
      value: { kind: 'start', day: { kind: 'date', date: { ...month.value, day: 1 } } },
      end: month.end,
    }
  const day = readDay(tokens, from)
  if (!day) return undefined
  // “daily at 9 from Monday on”
  const isOn = /^(on|onwards?|an)$/i.test(tokens[day.end]?.text ?? '')
  // “mit Ausnahme von Sonntag” is no start.
  if (/^(von|vom)$/i.test(tokens[at]!.text) && !isOn && !isUpTo(tokens, day.end)) return undefined
  const end = isOn ? day.end + 1 : day.end
  return { value: day.value.kind === 'open' ? day.value : { kind: 'start', day: day.value }, end }
}

const isUpTo = (tokens: Tokens, at: number) => isKind(tokens[at], 'to') || isSign(tokens[at], '-–—')

const isAsOf = (tokens: Tokens, at: number) =>
  /^as$/i.test(tokens[at]?.text ?? '') && /^(of|from)$/i.test(tokens[at + 1]?.text ?? '')

/** Read the end: `until 28 February`, `bis Freitag`, `for two weeks`, `die nächsten 10 Tage`, `10 times`. */
export function readEnd(tokens: Tokens, at: number): Found<Clause> | undefined {
  return readUntil(tokens, at) ?? readFor(tokens, at) ?? readRepeats(tokens, at)
}

const ended = (end: End, next: number): Found<Clause> => ({ value: { kind: 'end', end }, end: next })

function readUntil(tokens: Tokens, at: number): Found<Clause> | undefined {
  const isUp = /^up$/i.test(tokens[at]?.text ?? '') && /^to$/i.test(tokens[at + 1]?.text ?? '')
  // “from 1 December to 15 January”
  const isTo =
    isUpTo(tokens, at) && tokens.slice(Math.max(0, at - 6), at).some(({ text }) => STARTS.test(text))
  if (!isUp && !isTo && !ENDS.test(tokens[at]?.text ?? '')) return undefined
  let start = isUp ? at + 2 : at + 1
  if (isKind(tokens[start], 'and') && INCLUDING.test(tokens[start + 1]?.text ?? '')) start++
  if (INCLUDING.test(tokens[start]?.text ?? '')) start++
  start = /^(zum|zur|einschließlich)$/i.test(tokens[start]?.text ?? '') ? start + 1 : start
  start = skipKinds(tokens, start, 'on', 'article')
  const last = readEndOf(tokens, start)
  if (last) return last
  const month = readMonthAlone(tokens, start)
  if (month) return { value: { kind: 'open', open: AMBIGUOUS_MONTH }, end: month.end }
  const day = readDay(tokens, start)
  if (!day) return undefined
  const end = INCLUDING.test(tokens[day.end]?.text ?? '') ? day.end + 1 : day.end
  return day.value.kind === 'open' ? { value: day.value, end } : ended({ by: 'day', day: day.value }, end)
}

/** Read `the end of March`, `Ende des Monats`, `the end of the year`, `Monatsende`, `Jahresende`. */
function readEndOf(tokens: Tokens, at: number): Found<Clause> | undefined {
  const word = tokens[at]?.text ?? ''
  if (/^monatsende$/i.test(word)) return ended({ by: 'calendar', unit: 'month' }, at + 1)
  if (/^jahresende$/i.test(word)) return ended({ by: 'calendar', unit: 'year' }, at + 1)
  if (!/^(end|ende)$/i.test(word)) return undefined
  const start = skipKinds(tokens, at + 1, 'of', 'article', 'this')
  const month = readMonthAlone(tokens, start)
  if (month && month.value.year === undefined)
    return ended({ by: 'calendar', unit: 'month', month: month.value.month }, month.end)
  const months = valueOf(tokens[start], 'months')
  if (months === 1) return ended({ by: 'calendar', unit: 'month' }, start + 1)
  if (months === 12) return ended({ by: 'calendar', unit: 'year' }, start + 1)
  return valueOf(tokens[start], 'unit') === 7 * DAY
    ? ended({ by: 'calendar', unit: 'week' }, start + 1)
    : undefined
}

/** Read `for two weeks`, `für 10 Tage`, `for the next month`, `die nächsten drei Tage`, `3 Wochen lang`. */
function readFor(tokens: Tokens, at: number): Found<Clause> | undefined {
  const isLed = /^(for|für|over|während|during)$/i.test(tokens[at]?.text ?? '')
  let start = skipKinds(tokens, isLed ? at + 1 : at, 'article')
  const isNext = isKind(tokens[start], 'next', 'coming')
  if (isNext) start++
  const number = readNumber(tokens, start)
  if (!number || number.value < 1) return undefined
  const unit = valueOf(tokens[number.end], 'unit')
  const months = valueOf(tokens[number.end], 'months')
  const end = number.end + 1
  const isLong = /^lang$/i.test(tokens[end]?.text ?? '')
  if (!isLed && !isLong && !(isNext && isKind(tokens[start - 2], 'article'))) return undefined
  const next = isLong ? end + 1 : end
  if (months !== undefined) return ended({ by: 'months', months: number.value * months }, next)
  if (unit === undefined || unit < DAY) return undefined
  return ended({ by: 'days', days: (number.value * unit) / DAY }, next)
}

/** Read `10 times`, `zehnmal`, `5x`, `10 Mal`. Counts per day are read elsewhere. */
function readRepeats(tokens: Tokens, at: number): Found<Clause> | undefined {
  const word = valueOf(tokens[at], 'times')
  const number = word === undefined ? readNumber(tokens, at) : { value: word, end: at }
  if (!number || number.value < 2) return undefined
  const glued = tokens[number.end]
  const isTimes =
    word !== undefined || isKind(glued, 'timesWord') || (/^x$/i.test(glued?.text ?? '') && glued?.isGlued)
  if (!isTimes) return undefined
  const end = number.end + 1
  const next = skipKinds(tokens, end, 'per', 'on', 'in', 'article')
  if (next > end || isKind(tokens[next], 'adverb', 'monthAdverb', 'unit', 'months', 'per')) return undefined
  const total = /^(in|insgesamt|altogether|overall)$/i.test(tokens[end]?.text ?? '') ? end + 1 : end
  return ended({ by: 'times', times: number.value }, total)
}

/** Read a month without a day: `March`, `January 2027`. */
function readMonthAlone(tokens: Tokens, at: number): Found<{ month: number; year?: number }> | undefined {
  const month = valueOf(tokens[at], 'month')
  if (month === undefined || readNamedDate(tokens, at)) return undefined
  const year = tokens[at + 1]
  const isYear = year?.type === 'number' && /^20\d\d$/.test(year.text)
  return { value: { month, ...(isYear && { year: year.number! }) }, end: isYear ? at + 2 : at + 1 }
}

/** Read one day: a date, a weekday, `tomorrow`, `next Friday`. */
function readDay(tokens: Tokens, at: number): Found<Clause> | undefined {
  const date = readNamedDate(tokens, at)
  if (date)
    return {
      value: isUnplannable(date.value) ? { kind: 'open', ...date.value } : { kind: 'date', date: date.value },
      end: date.end,
    }
  const near = readNearDay(tokens, at)
  if (near) return near
  const days = valueOf(tokens[at], 'offset')
  if (days !== undefined && days >= 0 && !isKind(tokens[at + 1], 'part'))
    return { value: { kind: 'offset', days }, end: at + 1 }
  const weekday = valueOf(tokens[at], 'weekday')
  if (weekday === undefined || isSign(tokens[at + 1], '-–—') || isKind(tokens[at + 1], 'to')) return undefined
  return { value: { kind: 'weekdays', days: [weekday], isRecurring: false }, end: at + 1 }
}
