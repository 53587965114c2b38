import type { Clause, Found } from './clause.ts'
import { isKind, isSign, skipKinds, valueOf, type Token } from './time-tokens.ts'

type Tokens = readonly Token[]
type Days = { days: number[]; isMany: boolean; isShort: boolean }

/** Read weekdays: `every Monday and Thursday`, `Mon-Fri`, `werktags`, `on weekends`, `Freitag`. */
export function readWeekdays(tokens: Tokens, at: number): Found<Clause> | undefined {
  // “immer am Freitag”
  let isEvery = /^(immer|always)$/i.test(tokens[at]?.text ?? '')
  let start = isEvery ? at + 1 : at
  if (isKind(tokens[start], 'range') && rangeFrom(tokens, start + 1)) start++
  start = skipKinds(tokens, start, 'on')
  if (isKind(tokens[start], 'every') || valueOf(tokens[start], 'on') !== undefined) {
    isEvery ||= isKind(tokens[start], 'every')
    start++
  }
  start = skipKinds(tokens, start, 'article')
  const found = readDayList(tokens, start)
  if (!found) return undefined
  const { days, isMany, isShort } = found.value
  const isAlone = isShort && !isEvery && !isMany
  if (isAlone && !mayBeShortDay(tokens, start, found.end)) return undefined
  const isRecurring = isEvery || isMany
  return {
    value: { kind: 'weekdays', days: [...new Set(days)].toSorted((a, b) => a - b), isRecurring },
    end: found.end,
  }
}

/** `Mo` and `Fri` are days if a time follows; `so`, `do` and `sun` only if they are written as days. */
function mayBeShortDay(tokens: Tokens, at: number, end: number): boolean {
  const next = tokens[end]
  const isTimed = isKind(next, 'at') || next?.type === 'clock' || next?.type === 'number'
  const isCapital = /^\p{Lu}/u.test(tokens[at]!.text)
  return (
    isTimed &&
    (isCapital || /^(mon|tues?|wed|thu(rs?)?|fri)$/i.test(tokens[at]!.text)) &&
    !/^so$/i.test(tokens[at]!.text)
  )
}

/** Read days joined by “and”, commas and “to”. */
function readDayList(tokens: Tokens, at: number): Found<Days> | undefined {
  const first = readDays(tokens, at)
  if (!first) return undefined
  const list = { ...first.value, days: [...first.value.days] }
  let { end } = first
  for (;;) {
    let start = end
    if (isSign(tokens[start], ',')) start++
    if (isKind(tokens[start], 'and') || isSign(tokens[start], '&/+')) start++
    // “mon wed fri”: short names need no separator.
    const isRow = start === end && list.isShort && isKind(tokens[end - 1], 'shortDay')
    if (start === end && !(isRow && isKind(tokens[start], 'shortDay'))) break
    start = skipKinds(tokens, start, 'on')
    if (isKind(tokens[start], 'every')) start++
    const next = readDays(tokens, start)
    if (!next) break
    list.days.push(...next.value.days)
    list.isMany = true
    list.isShort &&= next.value.isShort
    end = next.end
  }
  // “mon” and “so, do” are ordinary words: a list of short names needs a capital or three letters.
  const isLoose =
    list.isShort &&
    tokens.slice(at, end).some(token => isKind(token, 'shortDay') && /^(so|do|mi|di)$/.test(token.text))
  return isLoose && end - at < 3 ? undefined : { value: list, end }
}

/** Read one day, a range, or a group of days. */
function readDays(tokens: Tokens, at: number): Found<Days> | undefined {
  const range = rangeFrom(tokens, at)
  if (range) return range
  const duringWeek = endOfDuringWeek(tokens, at)
  if (duringWeek !== undefined)
    return { value: { days: [1, 2, 3, 4, 5], isMany: true, isShort: false }, end: duringWeek }
  const group = valueOf(tokens[at], 'group', 'groups')
  const isWorking = isKind(tokens[at], 'working') && isDayWord(tokens[at + 1])
  if (group !== undefined || isWorking) {
    const days = String(group ?? 12345)
      .split('')
      .map(Number)
    const isPlural = isKind(tokens[at], 'groups') || /s$/i.test(isWorking ? tokens[at + 1]!.text : '')
    const isEvery = isKind(tokens[at - 1], 'every')
    if (!isPlural && !isEvery) return undefined
    const isLong = isWorking || isDayWord(tokens[at + 1])
    return { value: { days, isMany: true, isShort: false }, end: isLong ? at + 2 : at + 1 }
  }
  const day = valueOf(tokens[at], 'weekday', 'weekdays', 'shortDay')
  if (day === undefined) return undefined
  const isMany = isKind(tokens[at], 'weekdays')
  const isShort = !isKind(tokens[at], 'weekday', 'weekdays')
  const hasPoint = isShort && isSign(tokens[at + 1], '.') && tokens[at + 1]!.isGlued
  return { value: { days: [day], isMany, isShort }, end: hasPoint ? at + 2 : at + 1 }
}

/** The index after `unter der Woche` or `during the week`, which mean the working days. */
function endOfDuringWeek(tokens: Tokens, at: number): number | undefined {
  if (!/^(unter|during)$/i.test(tokens[at]?.text ?? '') || !isKind(tokens[at + 1], 'article'))
    return undefined
  return valueOf(tokens[at + 2], 'unit') === 604_800 ? at + 3 : undefined
}

const isDayWord = (token: Token | undefined) => valueOf(token, 'unit') === 86_400

/** Read `Monday to Friday`. A range may cross the weekend. */
function rangeFrom(tokens: Tokens, at: number): Found<Days> | undefined {
  const from = valueOf(tokens[at], 'weekday', 'shortDay', 'weekdays')
  const pointed = isSign(tokens[at + 1], '.') ? at + 2 : at + 1
  const isTo = isKind(tokens[pointed], 'to') || isSign(tokens[pointed], '-–—')
  const to = isTo ? valueOf(tokens[pointed + 1], 'weekday', 'shortDay', 'weekdays') : undefined
  if (from === undefined || to === undefined) return undefined
  const days = [from]
  for (let day = from; day !== to;) days.push((day = (day % 7) + 1))
  return { value: { days, isMany: true, isShort: false }, end: pointed + 2 }
}

/** Read `next Friday`, `this Friday`, `kommenden Freitag`, `Friday next week`. */
export function readNearDay(tokens: Tokens, at: number): Found<Clause> | undefined {
  const start = skipKinds(tokens, at, 'on', 'article')
  const which = isKind(tokens[start], 'next')
    ? 'next'
    : isKind(tokens[start], 'coming')
      ? 'coming'
      : isKind(tokens[start], 'this')
        ? 'this'
        : undefined
  if (which === undefined) return readNextWeek(tokens, start)
  const isComing = which === 'this' && isKind(tokens[start + 1], 'coming')
  const day = isComing ? start + 2 : start + 1
  const weekday = valueOf(tokens[day], 'weekday', 'shortDay')
  if (weekday === undefined) return isWeek(tokens, start) ? readNextWeek(tokens, start) : undefined
  return { value: { kind: 'near', weekday, which: isComing ? 'coming' : which }, end: day + 1 }
}

const isWeek = (tokens: Tokens, at: number) =>
  isKind(tokens[at], 'next') && valueOf(tokens[at + 1], 'unit') === 604_800

function readNextWeek(tokens: Tokens, at: number): Found<Clause> | undefined {
  const before = valueOf(tokens[at], 'weekday')
  if (before !== undefined) {
    const start = skipKinds(tokens, at + 1, 'of', 'in', 'article')
    return isWeek(tokens, start)
      ? { value: { kind: 'near', weekday: before, which: 'next week' }, end: start + 2 }
      : undefined
  }
  if (!isWeek(tokens, at)) return undefined
  const start = skipKinds(tokens, at + 2, 'on')
  const weekday = valueOf(tokens[start], 'weekday')
  return weekday === undefined
    ? undefined
    : { value: { kind: 'near', weekday, which: 'next week' }, end: start + 1 }
}

/** Read `except Wednesday`, `but not on Sundays`, `every day but Sunday`, `außer am Wochenende`. */
export function readExcept(tokens: Tokens, at: number): Found<Clause> | undefined {
  let start = at
  const isBut = /^(but|aber)$/i.test(tokens[start]?.text ?? '') && isKind(tokens[start + 1], 'not', 'except')
  if (isBut) start++
  const isBare = /^but$/i.test(tokens[start]?.text ?? '') && isKind(tokens[start + 1], 'weekday', 'weekdays')
  if (!isBare && !isKind(tokens[start], 'except', 'not')) return undefined
  start++
  if (/^for$/i.test(tokens[start]?.text ?? '')) start++
  start = skipKinds(tokens, start, 'on', 'article')
  const isWeekend = valueOf(tokens[start], 'group') === 67
  const found = isWeekend ? { value: { days: [6, 7] }, end: start + 1 } : readDayList(tokens, start)
  if (!found) return undefined
  return { value: { kind: 'except', days: found.value.days }, end: found.end }
}
