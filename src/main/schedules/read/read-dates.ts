import { type Clause, type NamedDate, isUnplannable, type Found, type Unplannable } from './clause.ts'
import { isKind, isSign, skipKinds, valueOf, type Token } from './time-tokens.ts'

type Tokens = readonly Token[]

/** Read a date: `December 24th, 2026`, `am 24.12.`, `24. Dezember`, `2026-12-24`, `every December 24`. */
export function readDate(tokens: Tokens, at: number): Found<Clause> | undefined {
  let start = skipKinds(tokens, at, 'on', 'article')
  const isYearly = isKind(tokens[start], 'every')
  if (isYearly) start = skipKinds(tokens, start + 1, 'article')
  const found = readNamedDate(tokens, start)
  if (!found) return undefined
  if (isUnplannable(found.value)) return { value: { kind: 'open', ...found.value }, end: found.end }
  const next = tokens[found.end]
  const isMore = isKind(next, 'to', 'and') || isSign(next, '-–—,')
  const second = isMore ? readNamedDate(tokens, skipKinds(tokens, found.end + 1, 'on', 'article')) : undefined
  const pair = second && isKind(next, 'and') ? sameDay(found.value, second.value) : undefined
  if (pair) return { value: { kind: 'monthdays', ...pair }, end: second!.end }
  if (second)
    return {
      value: { kind: 'open', open: 'More than one date: make one schedule for each.' },
      end: found.end + 2,
    }
  const months = moreMonths(tokens, found.end)
  if (months && found.value.year === undefined) {
    const { day, month } = found.value
    return {
      value: { kind: 'monthdays', days: [String(day)], months: [month, ...months.value] },
      end: months.end,
    }
  }
  return { value: { kind: 'date', date: found.value, ...(isYearly && { isYearly }) }, end: found.end }
}

/** Join `1 January and 1 July` without a year: one day in two months. */
function sameDay(
  first: NamedDate,
  second: NamedDate | Unplannable,
): { days: string[]; months: number[] } | undefined {
  if (isUnplannable(second) || first.day !== second.day || first.month === second.month) return undefined
  if (first.year !== undefined || second.year !== undefined) return undefined
  return { days: [String(first.day)], months: [first.month, second.month] }
}

/** Read the other months of `the 1st of January, April and July`. */
function moreMonths(tokens: Tokens, at: number): Found<number[]> | undefined {
  const list: number[] = []
  let end = at
  for (;;) {
    let start = isSign(tokens[end], ',') ? end + 1 : end
    if (isKind(tokens[start], 'and')) start++
    const month = start > end ? monthAt(tokens, start) : undefined
    if (!month || dayAt(tokens, month.end)) break
    list.push(month.value)
    end = month.end
  }
  return list.length > 0 ? { value: list, end } : undefined
}

/** Read a date without the words around it. */
export function readNamedDate(tokens: Tokens, at: number): Found<NamedDate | Unplannable> | undefined {
  const token = tokens[at]
  if (!token) return undefined
  const [a = 0, b = 0, c] = token.parts ?? []
  if (token.type === 'iso' && token.text.length === 10)
    return checkDate({ year: a, month: b, day: c! }, token.text, at + 1)
  if (token.type === 'slash') return readSlashes(token, at + 1)
  if (token.type === 'date') return checkDate({ ...yearOf(c), month: b, day: a }, token.text, at + 1)
  const isPointed =
    token.type === 'decimal' && /^\d{1,2}\.\d{1,2}$/.test(token.text) && isKind(tokens[at - 1], 'on')
  if (isPointed) return checkDate({ month: b, day: a }, token.text, at + 1)
  const month = monthAt(tokens, at)
  if (month) {
    const start = skipKinds(tokens, month.end, 'article')
    const day = dayAt(tokens, start)
    return day && withYear(tokens, day.end, { month: month.value, day: day.value })
  }
  const day = dayAt(tokens, at)
  if (!day) return undefined
  const next = monthAt(tokens, skipKinds(tokens, day.end, 'of', 'article'))
  return next && withYear(tokens, next.end, { month: next.value, day: day.value })
}

/** The year from two or four digits. */
const yearOf = (year: number | undefined) =>
  year === undefined ? {} : { year: year < 100 ? 2000 + year : year }

/** Read a month by name. Ambiguous names such as “may” and “mar” need a day beside them. */
function monthAt(tokens: Tokens, at: number): Found<number> | undefined {
  const month = valueOf(tokens[at], 'month')
  if (month === undefined) return undefined
  const hasPoint = isSign(tokens[at + 1], '.') && tokens[at + 1]!.isGlued
  return { value: month, end: hasPoint ? at + 2 : at + 1 }
}

/** Read a day of the month: `24`, `24th`, `24.`, `first`. */
function dayAt(tokens: Tokens, at: number): Found<number> | undefined {
  const token = tokens[at]
  if (token?.type === 'number' && token.text.length <= 4 && !isKind(tokens[at + 1], 'meridiem', 'oclock')) {
    const hasPoint = token.isDotted && isSign(tokens[at + 1], '.')
    return { value: token.number!, end: hasPoint ? at + 2 : at + 1 }
  }
  const ordinal = ordinalAt(tokens, at)
  return ordinal && { value: ordinal.value, end: ordinal.end }
}

function withYear(tokens: Tokens, at: number, date: NamedDate): Found<NamedDate | Unplannable> {
  const start = isSign(tokens[at], ',') ? at + 1 : at
  const token = tokens[start]
  const isYear =
    token?.type === 'number' && /^(19|20|21)\d\d$/.test(token.text) && !isKind(tokens[start - 1], 'at')
  const full = isYear ? { ...date, year: token.number! } : date
  return checkDate(full, `${date.day}/${date.month}`, isYear ? start + 1 : at)
}

/** Read a date with slashes, unless it has two readings. */
function readSlashes(token: Token, end: number): Found<NamedDate | Unplannable> {
  const [a = 0, b = 0, c] = token.parts!
  if (a > 31) return checkDate({ year: a, month: b, day: c ?? 0 }, token.text, end)
  if (a <= 12 && b <= 12 && a !== b)
    return { value: { open: `“${token.text}”: which is the month? Write it as 2026-12-24.` }, end }
  return checkDate({ ...yearOf(c), month: a > 12 ? b : a, day: a > 12 ? a : b }, token.text, end)
}

function checkDate(date: NamedDate, text: string, end: number): Found<NamedDate | Unplannable> {
  const { year = 2024, month, day } = date
  const isReal =
    month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate()
  return { value: isReal ? date : { open: `There is no such date: ${text}.` }, end }
}

/** Read `first`, `15th`, `3.`, `twenty-first`, `dritten`. */
function ordinalAt(tokens: Tokens, at: number): Found<number> | undefined {
  const token = tokens[at]
  if (token?.type === 'number' && token.isOrdinal) return { value: token.number!, end: at + 1 }
  if (
    token?.type === 'number' &&
    token.isDotted &&
    token.text.length <= 2 &&
    isSign(tokens[at + 1], '.') &&
    tokens[at + 1]!.isGlued
  )
    return { value: token.number!, end: at + 2 }
  const tens = valueOf(token, 'number')
  if (tens === 20 || tens === 30) {
    const next = isSign(tokens[at + 1], '-') ? at + 2 : at + 1
    const ones = valueOf(tokens[next], 'ordinal')
    if (ones !== undefined && ones < 10) return { value: tens + ones, end: next + 1 }
  }
  const value = valueOf(token, 'ordinal')
  return value === undefined ? undefined : { value, end: at + 1 }
}

/** German words for a day of every month. */
const MONTH_DAYS: Record<string, string> = {
  monatsletzten: 'L',
  monatsletzter: 'L',
  ultimo: 'L',
  monatsersten: '1',
  monatserster: '1',
}

type Nth = number | 'last'

/** Read days of a month: `the first Monday of the month`, `on the 15th of every month`, `every 15th`. */
export function readMonthDays(tokens: Tokens, at: number): Found<Clause> | undefined {
  let start = skipKinds(tokens, at, 'on', 'article')
  const isEvery = isKind(tokens[start], 'every')
  if (isEvery) start++
  const ofMonth = MONTH_DAYS[tokens[start]?.text.toLowerCase() ?? '']
  if (ofMonth !== undefined && start > at)
    return { value: { kind: 'monthdays', days: [ofMonth] }, end: start + 1 }
  start = skipKinds(tokens, start, 'article')
  const nths = readNths(tokens, start)
  if (!nths) return undefined
  const { value: list } = nths
  const weekday = valueOf(tokens[nths.end], 'weekday', 'shortDay')
  const isWorking = isKind(tokens[nths.end], 'working') && valueOf(tokens[nths.end + 1], 'unit') === 86_400
  const isGroup = valueOf(tokens[nths.end], 'group') === 12345 || isWorking
  const isDay = valueOf(tokens[nths.end], 'unit') === 86_400
  const isThing = weekday !== undefined || isGroup || isDay
  const end = nths.end + (isThing ? (isWorking ? 2 : 1) : 0)
  const month = readOfMonth(tokens, end) ?? (isInCycle(tokens, at) ? { value: [], end } : undefined)
  if (month && isUnplannable(month.value)) return { value: { kind: 'open', ...month.value }, end: month.end }
  const named = month && !isUnplannable(month.value) ? month.value : []
  const months = named.length > 0 ? { months: named.map(each => (list[0] === 'last' ? each + 2 : each)) } : {}
  if (weekday !== undefined) {
    if (!month) return openNth(isEvery, list, weekday, end)
    if (list.some(each => each !== 'last' && each > 5)) return { value: noSuchDay(list), end }
    const days = list.map(each => `${weekday % 7}#${each === 'last' ? 'L' : each}`)
    return { value: { kind: 'nth', days, ...months }, end: month.end }
  }
  if (isGroup) {
    const day =
      list.length === 1 && list[0] === 'last' ? 'LW' : list.length === 1 && list[0] === 1 ? '1W' : undefined
    if (day === undefined || !month)
      return { value: { kind: 'open', open: 'It is not clear which weekday of the month is meant.' }, end }
    return { value: { kind: 'monthdays', days: [day], ...months }, end: month.end }
  }
  const isLast = list.includes('last')
  if (!isDay && isLast) return undefined
  // “every third day” counts days.
  if (!month && isDay && isEvery && list[0] !== 1 && list[0] !== 'last') return undefined
  if (!month && isDay)
    return list.length === 1
      ? {
          value: {
            kind: 'open',
            open: 'It is not clear which day is meant: every other one, or one day of the month?',
          },
          end,
        }
      : undefined
  if (list.some(each => each !== 'last' && (each > 31 || each < 1))) return { value: noSuchDay(list), end }
  if (month || isEvery) {
    const days = list.map(each => (each === 'last' ? 'L' : String(each)))
    const end2 = month?.end ?? end
    // “every second” and “jeden dritten” leave open what they count.
    if (!month && tokens.slice(start, end).some(token => isKind(token, 'ordinal'))) return undefined
    return { value: { kind: 'monthdays', days, ...months }, end: end2 }
  }
  const areDigits = tokens.slice(start, nths.end).some(token => token.type === 'number')
  return areDigits ? { value: { kind: 'ordinals', days: list.map(Number) }, end } : undefined
}

/** Whether the day follows its cycle: `every month on the last Friday`, `quarterly on the first`. */
function isInCycle(tokens: Tokens, at: number): boolean {
  const isEvery = isKind(tokens[at - 2], 'every')
  const months =
    valueOf(tokens[at - 1], 'monthAdverb') ?? (isEvery ? valueOf(tokens[at - 1], 'months') : undefined)
  return months === 1 || months === 3
}

const noSuchDay = (list: readonly Nth[]): Clause => ({
  kind: 'open',
  open: `No month has that day: ${list.join(', ')}.`,
})

/** “jeden zweiten Dienstag”: every other one, or the second of a month. Without “every” it is unclear. */
function openNth(
  isEvery: boolean,
  list: readonly Nth[],
  weekday: number,
  end: number,
): Found<Clause> | undefined {
  const [count, second] = list
  if (isEvery && typeof count === 'number' && second === undefined && count > 1 && count < 53)
    return { value: { kind: 'step', unit: 'week', count, days: [weekday], isNth: count < 6 }, end }
  return isEvery || list.length > 1 || count === 'last' || count! < 6
    ? {
        value: {
          kind: 'open',
          open: 'Is it a weekday of the month, or every other one? Say “of the month”, or give the dates.',
        },
        end,
      }
    : undefined
}

/** Read `day 15`. */
function numberedDay(tokens: Tokens, at: number): Found<number> | undefined {
  const number = tokens[at + 1]
  const isDay = /^(day|tag)$/i.test(tokens[at]?.text ?? '') && number?.type === 'number'
  return isDay ? { value: number.number!, end: at + 2 } : undefined
}

/** Read one or more of `first`, `15th`, `last`. */
function readNths(tokens: Tokens, at: number): Found<Nth[]> | undefined {
  const list: Nth[] = []
  let end = at
  for (let start = at; ;) {
    const ordinal = ordinalAt(tokens, start) ?? numberedDay(tokens, start)
    const isLast = isKind(tokens[start], 'last')
    if (!ordinal && !isLast) break
    list.push(ordinal ? ordinal.value : 'last')
    end = ordinal ? ordinal.end : start + 1
    let next = isSign(tokens[end], ',') ? end + 1 : end
    if (isKind(tokens[next], 'and') || isSign(tokens[next], '&')) next++
    if (next === end) break
    start = skipKinds(tokens, next, 'on', 'article')
  }
  return list.length > 0 ? { value: list, end } : undefined
}

/** Read `of the month`, `im Monat`, `jedes Monats`, `of every quarter`: the named months, none for all. */
function readOfMonth(tokens: Tokens, at: number): Found<number[] | Unplannable> | undefined {
  const end = skipKinds(tokens, at, 'of', 'in', 'on', 'article', 'every')
  const isOneMonth = isKind(tokens[end], 'this', 'next', 'coming')
  if (isOneMonth && isKind(tokens[end + 1], 'months'))
    return { value: { open: 'Say the date instead, such as 2026-12-24.' }, end: end + 2 }
  if (isKind(tokens[end], 'month') && end > at) {
    return { value: { open: 'Every year, or only the next time? Give the date.' }, end: end + 1 }
  }
  const months = valueOf(tokens[end], 'months')
  if (months === 1) return { value: [], end: end + 1 }
  if (months === 3) return { value: [1, 4, 7, 10], end: end + 1 }
  return undefined
}
