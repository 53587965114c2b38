import { allOrUnplannable, isUnplannable, type Found, type Unplannable, type Time } from './clause.ts'
import { readPart, timeInPart } from './part-of-day.ts'
import { isKind, isPlain, isSign, skipKinds, valueOf, type Token } from './time-tokens.ts'

type Tokens = readonly Token[]

/** Read a list of times, such as `at 9 and 17` or `um halb neun`, with its parts of the day. */
export function readTimes(tokens: Tokens, at: number): Found<Time[] | Unplannable> | undefined {
  const first = readLedTime(tokens, at)
  if (!first) return undefined
  const times = [first.value]
  let { end } = first
  for (;;) {
    const next = readNextTime(tokens, end)
    if (!next) break
    times.push(next.value)
    end = next.end
  }
  const known = allOrUnplannable(times)
  if (isUnplannable(known)) return { value: known, end }
  const isMixed =
    known.slice(0, -1).some(({ isBare }) => isBare) && !known.at(-1)!.isBare && isSaid(tokens, end)
  if (isMixed)
    return {
      value: { open: 'Does the part of the day apply to every time? Write 9:00 or 21:00 for each.' },
      end,
    }
  if (isKind(tokens[end], 'or') && readBareTime(tokens, end + 1))
    return { value: { open: 'Which of the two times is meant?' }, end: end + 2 }
  if (isSpan(tokens, end))
    return { value: { open: 'A span of hours leaves open when it begins and ends.' }, end: end + 2 }
  return { value: inOrder(known), end }
}

/** Put bare hours into the order of a day: “at 9 and 5” is 9:00 and 17:00. Ask if the order is unclear. */
function inOrder(times: readonly Time[]): Time[] | Unplannable {
  if (times.some(({ isBare }) => !isBare)) return [...times]
  const ordered: Time[] = []
  for (const time of times) {
    const last = ordered.at(-1)
    const isBefore = (hour: number) =>
      last !== undefined && (hour - last.hour) * 60 + time.minute - last.minute <= 0
    if (!isBefore(time.hour)) ordered.push(time)
    else if ((time.hour > 6 && last!.isBare) || last!.hour < 7 || isBefore(time.hour + 12))
      return { open: 'In the morning or the evening? Write each time from 0:00 to 23:59.' }
    else ordered.push({ ...time, hour: time.hour + 12, isBare: false })
  }
  return ordered
}

/** Whether a word makes the last time exact. It may also apply to the times before. */
const isSaid = (tokens: Tokens, end: number) =>
  isKind(tokens[end - 1], 'meridiem', 'part', 'parts', 'tonight')

const isSpan = (tokens: Tokens, at: number) =>
  (isKind(tokens[at], 'to') || isSign(tokens[at], '-–—')) &&
  readBareTime(tokens, at + 1) !== undefined &&
  // “until 31 March” and “bis 28.02.” are days.
  !isKind(tokens[at + 2], 'month') &&
  !isKind(tokens[at + 3], 'month') &&
  tokens[at + 1]!.type !== 'date'

const EXACTLY = /^(exactly|precisely|punkt|genau|pünktlich)$/i

/** Read a time after `at` or `um`, or one that cannot be anything else. */
function readLedTime(tokens: Tokens, at: number): Found<Time | Unplannable> | undefined {
  const isLed = isKind(tokens[at], 'at') || isSign(tokens[at], '@')
  if (isLed) {
    const isExact = isKind(tokens[at + 1], 'article') || EXACTLY.test(tokens[at + 1]?.text ?? '')
    const start = isExact ? at + 2 : at + 1
    return readDigits(tokens, start) ?? readBareTime(tokens, start)
  }
  const found = readBareTime(tokens, at)
  return found && isMarked(tokens, at, found.end) ? found : undefined
}

/** Read four digits as on tickets, such as `0830`. */
function readDigits(tokens: Tokens, at: number): Found<Time | Unplannable> | undefined {
  const { text, type } = tokens[at] ?? {}
  if (type !== 'number' || text === undefined || !/^\d{4}$/.test(text)) return undefined
  return finishTime(tokens, at + 1, Number(text.slice(0, 2)), Number(text.slice(2)), false)
}

/** Whether something besides a bare number shows that these tokens are a time. */
function isMarked(tokens: Tokens, at: number, end: number): boolean {
  const own = tokens.slice(at, end)
  return own.some(
    (token, index) =>
      token.type === 'clock' ||
      isKind(token, 'oclock', 'clock', 'threeQuarters') ||
      (isKind(token, 'meridiem') && valueOf(token, 'on') === undefined) ||
      (isKind(token, 'meridiem') && token.isGlued) ||
      (index < own.length - 1 && isKind(token, 'half', 'quarter')) ||
      // “Mo/Mi/Fr 18h”, but not “the last 24h”
      (token.isGlued && /^h$/i.test(token.text) && isKind(tokens[at - 1], ...DAYS)) ||
      // “every weekday, 9 in the evening”
      (index > 1 && isKind(token, 'part') && (at === 0 || isSign(tokens[at - 1], ',:–—-'))),
  )
}

const DAYS = ['weekday', 'weekdays', 'shortDay', 'groups', 'adverb'] as const

function readNextTime(tokens: Tokens, at: number): Found<Time | Unplannable> | undefined {
  const hasComma = isSign(tokens[at], ',')
  if (!hasComma && !isKind(tokens[at], 'and') && !isSign(tokens[at], '&/')) return undefined
  const joined = hasComma && isKind(tokens[at + 1], 'and') ? at + 2 : at + 1
  const start = /^(also|auch)$/i.test(tokens[joined]?.text ?? '') ? joined + 1 : joined
  const led = readLedTime(tokens, start)
  if (led) return led
  const bare = readBareTime(tokens, start)
  if (!bare || isKind(tokens[bare.end], 'unit', 'months', 'month', 'timesWord')) return undefined
  // A number after a comma may begin the task: “at 8, 3 mails”.
  const after = tokens[bare.end]
  const isList = !hasComma || after === undefined || after.type === 'sign' || isKind(after, 'and', 'on')
  return isList ? bare : undefined
}

/** Read a number from digits or words, such as `8`, `eight` or `forty-five`. */
export function readNumber(tokens: Tokens, at: number): Found<number> | undefined {
  const token = tokens[at]
  if (token?.type === 'number' && !token.isOrdinal) return { value: token.number!, end: at + 1 }
  const tens = valueOf(token, 'number')
  if (tens === undefined) return undefined
  if (tens < 20 || tens % 10 !== 0) return { value: tens, end: at + 1 }
  const next = isSign(tokens[at + 1], '-') ? at + 2 : at + 1
  const ones = valueOf(tokens[next], 'number')
  const isOnes = ones !== undefined && ones > 0 && ones < 10 && !/^an?$/i.test(tokens[next]!.text)
  return isOnes ? { value: tens + ones, end: next + 1 } : { value: tens, end: at + 1 }
}

/** Read a time without a word before it. A bare number counts. */
export function readBareTime(tokens: Tokens, at: number): Found<Time | Unplannable> | undefined {
  const token = tokens[at]
  if (!token) return undefined
  if (token.type === 'clock') {
    const [hour = 0, minute = 0, second = 0] = token.parts!
    if (second !== 0 || !/:\d\d(?::|$)/.test(token.text))
      return { value: { open: `“${token.text}” is not a time of day.` }, end: at + 1 }
    return finishTime(tokens, at + 1, hour, minute, false)
  }
  if (token.type === 'decimal' && /^\d{1,2}\.\d\d$/.test(token.text))
    return finishTime(tokens, at + 1, token.parts![0]!, token.parts![1]!, false)
  if (token.type === 'date' && /^\d{1,2}\.\d\d\.$/.test(token.text))
    return finishTime(tokens, at + 1, token.parts![0]!, token.parts![1]!, false)
  const noon = valueOf(token, 'clock')
  if (noon !== undefined) return { value: { hour: noon, minute: 0, isBare: false }, end: at + 1 }
  return readSpokenTime(tokens, at) ?? readHour(tokens, at)
}

/** Read times in halves and quarters: `half past eight`, `viertel vor acht`, `halb neun`, `five to nine`. */
function readSpokenTime(tokens: Tokens, at: number): Found<Time | Unplannable> | undefined {
  const token = tokens[at]
  const half = valueOf(token, 'half')
  if (half !== undefined && isKind(tokens[at + 1], 'past')) return relativeTo(tokens, at + 2, 30)
  if (half !== undefined && readNumber(tokens, at + 1) && !isUnitAfter(tokens, at + 1))
    return half === 2
      ? relativeTo(tokens, at + 1, -30)
      : { value: { open: '“Half eight” is 7:30 or 8:30: write which.' }, end: at + 2 }
  if (isKind(token, 'threeQuarters')) return relativeTo(tokens, at + 1, -15)
  const isQuarter = isKind(token, 'quarter')
  const start = isKind(token, 'number') && isKind(tokens[at + 1], 'quarter') ? at + 1 : at
  const amount = isKind(tokens[start], 'quarter') ? { value: 15, end: start + 1 } : readNumber(tokens, at)
  if (!amount) return undefined
  const next = valueOf(tokens[amount.end], 'unit') === 60 ? amount.end + 1 : amount.end
  const sign = isKind(tokens[next], 'past') ? 1 : isKind(tokens[next], 'before') ? -1 : 0
  if (sign === 0) {
    const isRegional =
      isQuarter &&
      valueOf(token, 'quarter') === 2 &&
      readNumber(tokens, at + 1) &&
      !isUnitAfter(tokens, at + 1)
    return isRegional
      ? { value: { open: '“Viertel neun” is 8:15 or 9:15: write which.' }, end: at + 2 }
      : undefined
  }
  if (valueOf(tokens[next + 1], 'half') === 2) return relativeTo(tokens, next + 2, sign * amount.value - 30)
  if (isKind(tokens[next + 1], 'clock')) return relativeTo(tokens, next + 1, sign * amount.value)
  const hour = readNumber(tokens, next + 1)
  if (!hour || amount.value >= 60 || isUnitAfter(tokens, next + 1)) return undefined
  const isDigits =
    tokens[at]!.type === 'number' && next === amount.end && /^(to|before|after)$/i.test(tokens[next]!.text)
  if (isDigits)
    return { value: { open: 'Is that a span of hours or minutes before the hour?' }, end: hour.end }
  return relativeTo(tokens, next + 1, sign * amount.value)
}

const isUnitAfter = (tokens: Tokens, at: number) =>
  isKind(tokens[readNumber(tokens, at)!.end], 'unit', 'months')

/** A time some minutes before or after the hour at this token. */
function relativeTo(tokens: Tokens, at: number, minutes: number): Found<Time | Unplannable> | undefined {
  const noon = valueOf(tokens[at], 'clock')
  if (noon !== undefined) {
    const exact = (noon * 60 + minutes + 1440) % 1440
    return { value: { hour: Math.floor(exact / 60), minute: exact % 60, isBare: false }, end: at + 1 }
  }
  const hour = readNumber(tokens, at)
  if (!hour) return undefined
  if (hour.value > 24) return { value: impossibleTime(`${hour.value}`), end: hour.end }
  const total = (hour.value * 60 + minutes + 1440) % 1440
  if (hour.value !== 1 || minutes > 0)
    return finishTime(tokens, hour.end, Math.floor(total / 60), total % 60, true)
  const time = finishTime(tokens, hour.end, 12, total, true)
  const shown = `0:${total} or 12:${total}`
  return isUnplannable(time.value) || !time.value.isBare
    ? time
    : { value: { open: `Is that ${shown}? Write which.` }, end: time.end }
}

/** Read a full hour, or an hour followed by minutes: `8`, `8 Uhr 20`, `eight thirty`, `8h30`, `8 pm`. */
export function readHour(tokens: Tokens, at: number): Found<Time | Unplannable> | undefined {
  const hour = readNumber(tokens, at)
  if (!hour || /^(an?|eine[rmn]?)$/i.test(tokens[at]!.text)) return undefined
  const { end } = hour
  if (valueOf(tokens[end], 'oclock') === 2) {
    const minute = readNumber(tokens, end + 1)
    const isMinute =
      minute &&
      minute.value < 60 &&
      !/^eine?[mnrs]?$/i.test(tokens[end + 1]!.text) &&
      !isOtherNumber(tokens, end + 1, minute) &&
      /^\d\d$|^\D{4,}$/.test(tokens[end + 1]!.text)
    const counts = isMinute && isCounted(tokens, minute.end)
    if (counts)
      return {
        value: { open: `Is “${minute.value}” the minutes, or how many? Write the time as 8:20.` },
        end: minute.end,
      }
    return isMinute
      ? finishTime(tokens, minute.end, hour.value, minute.value, false)
      : finishTime(tokens, end + 1, hour.value, 0, true)
  }
  const minute =
    tokens[at]!.type === 'word' && tokens[end]?.type === 'word' ? readNumber(tokens, end) : undefined
  if (minute && minute.value >= 10 && minute.value < 60 && !isUnitAfter(tokens, end))
    return finishTime(tokens, minute.end, hour.value, minute.value, true)
  // `8h30` and `8h`
  const glued = tokens[end]
  if (glued?.isGlued && /^h$/i.test(glued.text)) {
    const more = tokens[end + 1]
    const isMore = more?.isGlued === true && /^\d\d$/.test(more.text)
    return finishTime(tokens, isMore ? end + 2 : end + 1, hour.value, isMore ? more.number! : 0, false)
  }
  if (isKind(glued, 'unit', 'months', 'timesWord') || isSign(glued, '%€$°')) return undefined
  return finishTime(tokens, end, hour.value, 0, true)
}

/** Whether these words can be the things that a number counts: `20 Mails`, `drei neue Wörter`. */
function isCounted(tokens: Tokens, at: number): boolean {
  const isNoun = (token: Token | undefined) => isPlain(token) && /^\p{Lu}/u.test(token!.text)
  const isAdjective =
    isPlain(tokens[at]) && !isKind(tokens[at], 'article') && /e[nr]?$/.test(tokens[at]!.text)
  return isNoun(tokens[at]) || (isAdjective && isNoun(tokens[at + 1]))
}

/** Whether a number after `Uhr` starts something else. `um 8 Uhr 24.12.` does not, `8 Uhr 3. Mai` does. */
const isOtherNumber = (tokens: Tokens, at: number, number: Found<number>) =>
  isKind(tokens[number.end], 'unit', 'months', 'month') || tokens[at]!.isDotted === true

const impossibleTime = (text: string): Unplannable => ({ open: `There is no such time of day: ${text}.` })

/** Read the words that complete a time: `o'clock`, `pm`, `in the evening`, `abends`. */
function finishTime(
  tokens: Tokens,
  at: number,
  hour: number,
  minute: number,
  mayBeSpoken: boolean,
): Found<Time | Unplannable> {
  let end = at
  const shown = `${hour}:${String(minute).padStart(2, '0')}`
  if (hour === 24 && minute === 0)
    return {
      value: { open: 'Is 24:00 the end of that day? Write 0:00 and the day.' },
      end: skipKinds(tokens, end, 'oclock'),
    }
  if (hour > 23 || minute > 59) return { value: impossibleTime(shown), end: skipKinds(tokens, end, 'oclock') }
  if (isKind(tokens[end], 'oclock')) end++
  const noon = hour === 12 && mayBeSpoken ? valueOf(tokens[end], 'clock') : undefined
  if (noon !== undefined) return { value: { hour: noon, minute, isBare: false }, end: end + 1 }
  let time: Time = { hour, minute, isBare: hour > 0 && hour <= 12 }
  const half = valueOf(tokens[end], 'meridiem')
  if (half !== undefined && !isPreposition(tokens, end)) {
    if (hour < 1 || hour > 12) return { value: impossibleTime(`${shown} ${tokens[end]!.text}`), end: end + 1 }
    time = { hour: (hour % 12) + half, minute, isBare: false }
    end++
  }
  const part = readPart(tokens, end)
  if (!part) return { value: time, end }
  return { value: timeInPart(time, part.value), end: part.end }
}

/** Whether `am` is the German preposition, as in `um 8 am Montag`. */
function isPreposition(tokens: Tokens, at: number): boolean {
  if (tokens[at]!.meanings.meridiem !== 0 || !isKind(tokens[at], 'on') || tokens[at]!.isGlued) return false
  const next = tokens[at + 1]
  const isDay = isKind(next, 'weekday', 'weekdays', 'part', 'group', 'ordinal', 'last', 'next', 'coming')
  return (next?.meanings.german === true && isDay) || next?.type === 'number' || next?.type === 'date'
}
