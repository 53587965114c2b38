import { isUnplannable, type Clause, type Found, type Time } from './clause.ts'
import { readBareTime, readHour } from './read-times.ts'
import { isKind, isSign, skipKinds, valueOf, type Token } from './time-tokens.ts'

type Tokens = readonly Token[]

/** One end of daily hours. `isSure`: only this hour is possible. `isSaid`: a word such as “pm” says so. */
type Edge = { minutes: number; isSure: boolean; isSaid: boolean }

const NOON = 720
const DAY = 1440
const MORNING = 360
const HALVES = 'Which half of the day is meant? Write the hours from 0 to 24, such as “from 8 to 18”.'
const open = (text: string): Clause => ({ kind: 'open', open: text })

/** Read daily hours: `from 8 to 6`, `between 9am and 5pm`, `von 8 bis 18 Uhr`, `8:00-18:00`. */
export function readWindow(tokens: Tokens, at: number): Found<Clause> | undefined {
  const named = readNamedHours(tokens, at)
  if (named) return named
  const isLed = isKind(tokens[at], 'range')
  const start = isLed ? at + 1 : at
  if (!isLed && isKind(tokens[at - 1], 'at', 'past', 'before')) return undefined
  const from = readEdge(tokens, start)
  if (!from) return undefined
  const isBetween = isLed && /^(between|zwischen)$/i.test(tokens[at]!.text)
  const joint = tokens[from.end]
  const isJoint = isBetween ? isKind(joint, 'and') : isKind(joint, 'to') || isSign(joint, '-–—')
  if (!isJoint) return undefined
  const to = readEdge(tokens, from.end + 1, true)
  if (!to) return undefined
  const after = tokens[to.end]
  if (isKind(after, 'unit', 'months', 'month', 'timesWord') || isSign(after, '%€$./')) return undefined
  // “5 to 10 mails” does not name hours.
  const own = tokens.slice(start, to.end)
  const isMarked = own.some(
    token => token.type === 'clock' || isKind(token, 'meridiem', 'oclock', 'clock', 'parts'),
  )
  if (
    !isLed &&
    !isMarked &&
    !(
      isKind(tokens[at - 1], 'unit', 'adverb', 'weekday', 'weekdays', 'shortDay', 'groups') ||
      isSign(tokens[at - 1], ',:')
    )
  )
    return undefined
  return { value: settleHours(from.value, to.value), end: to.end }
}

const HOURS_OF_WORK =
  /^(arbeitszeit|arbeitszeiten|bürozeit|bürozeiten|geschäftszeit|geschäftszeiten|bürostunden)$/i

/** Read hours without numbers: `during office hours`, `während der Arbeitszeit`, `tagsüber`. */
function readNamedHours(tokens: Tokens, at: number): Found<Clause> | undefined {
  const isDuring = /^(during|in|while|während|within|zu)$/i.test(tokens[at]?.text ?? '')
  const start = isDuring ? skipKinds(tokens, at + 1, 'article', 'of') : at
  const first = tokens[start]?.text ?? ''
  const isHours =
    /^(work|working|business|office|opening|school|core|day)$/i.test(first) &&
    /^hours$/i.test(tokens[start + 1]?.text ?? '')
  const isDay =
    isDuring && valueOf(tokens[start], 'unit') === 86_400 && /^(during|während)$/i.test(tokens[at]!.text)
  if (!isHours && !isDay && !HOURS_OF_WORK.test(first) && !/^tagsüber$/i.test(first)) return undefined
  return {
    value: open('Which hours are those? Say “from 9 to 17”.'),
    end: isHours ? start + 2 : start + 1,
  }
}

function readEdge(tokens: Tokens, at: number, isEnd = false): Found<Edge> | undefined {
  const token = tokens[at]
  if (isEnd && (token?.number === 24 || token?.text === '24:00')) {
    const end = isKind(tokens[at + 1], 'oclock') ? at + 2 : at + 1
    return { value: { minutes: DAY, isSure: true, isSaid: false }, end }
  }
  const isPlainNumber = token?.type === 'number' || isKind(token, 'number')
  const found = isPlainNumber ? readHour(tokens, at) : readBareTime(tokens, at)
  if (!found || isUnplannable(found.value)) return undefined
  const time: Time = found.value
  const isMidnight = isEnd && time.hour === 0 && time.minute === 0
  const isSure = !time.isBare || /^0\d/.test(token!.text)
  return {
    value: {
      minutes: isMidnight ? DAY : time.hour * 60 + time.minute,
      isSure,
      isSaid: isKind(tokens[found.end - 1], 'meridiem', 'part', 'parts'),
    },
    end: found.end,
  }
}

/** Choose the only possible halves of the day: from 8 to 6 means 8:00 to 18:00. */
function settleHours(from: Edge, to: Edge): Clause {
  if (!from.isSure && !to.isSure) {
    // “from 1 to 5” could be at night or in the afternoon.
    if (from.minutes < MORNING) return open(HALVES)
    if (from.minutes >= NOON && to.minutes >= NOON) return open(HALVES)
    const end = to.minutes > from.minutes ? to.minutes : to.minutes + NOON
    return end > from.minutes ? { kind: 'window', from: from.minutes, to: end } : open(HALVES)
  }
  // “1 to 6 pm”, “8 to 10 pm”: the word at the end may apply to both.
  const later = from.minutes + NOON
  if (!from.isSure && to.isSaid && from.minutes < NOON && later < to.minutes)
    return from.minutes < MORNING ? { kind: 'window', from: later, to: to.minutes } : open(HALVES)
  if (!to.isSure && from.minutes < NOON && to.minutes <= from.minutes)
    return { kind: 'window', from: from.minutes, to: to.minutes + NOON }
  // “7 pm to 11” ends in the evening; “18 to 8” is on the 24-hour clock, and “13 to 6” may be either.
  const evening = to.minutes + NOON
  if (!to.isSure && from.minutes >= NOON && evening > from.minutes) {
    if (from.isSaid || from.minutes === NOON) return { kind: 'window', from: from.minutes, to: evening }
    if (from.minutes < NOON + MORNING) return open(HALVES)
  }
  if (to.minutes === from.minutes) return open(HALVES)
  return { kind: 'window', from: from.minutes, to: to.minutes < from.minutes ? to.minutes + DAY : to.minutes }
}
