import { DAY, HOUR, type Clause, type Placed, isUnplannable, type Found } from './clause.ts'
import { readDate, readMonthDays } from './read-dates.ts'
import { readEvery, readIn } from './read-spans.ts'
import { readPart, EVENING } from './part-of-day.ts'
import { readNumber, readTimes } from './read-times.ts'
import { readEnd, readStart } from './read-bounds.ts'
import { readPhase } from './read-phases.ts'
import { readWindow } from './read-windows.ts'
import { isKind, isSign, skipKinds, valueOf, type Token } from './time-tokens.ts'
import { readExcept, readNearDay, readWeekdays } from './read-weekdays.ts'

type Tokens = readonly Token[]
type Read = (tokens: Tokens, at: number) => Found<Clause> | undefined

const readers: readonly Read[] = [
  readMoment,
  readExcept,
  readDate,
  readMonthDays,
  readNearDay,
  readWeekdays,
  readEvery,
  readIn,
  readOffset,
  readCount,
  readWindow,
  readPhase,
  readStart,
  readEnd,
  readTimesClause,
  readPartClause,
]

/** Read all clauses of a text, in order. If several start at the same word, take the longest. */
export function readClauses(tokens: Tokens): Placed[] {
  const placed: Placed[] = []
  for (let at = 0; at < tokens.length;) {
    let best: Found<Clause> | undefined
    for (const read of readers) {
      const found = read(tokens, at)
      if (found && found.end > (best?.end ?? at)) best = found
    }
    if (!best) {
      at++
      continue
    }
    placed.push({ clause: best.value, at, end: best.end })
    at = best.end
    if (isKind(tokens[at - 1], 'tonight'))
      placed.push({ clause: { kind: 'part', part: EVENING }, at, end: at })
    // “every Friday evening”, “tomorrow morning”: the part of the day follows directly.
    const part = isDay(best.value) ? valueOf(tokens[at], 'part') : undefined
    if (part !== undefined) {
      placed.push({ clause: { kind: 'part', part }, at, end: at + 1 })
      at++
    }
  }
  return placed
}

const isDay = ({ kind }: Clause) => ['weekdays', 'daily', 'offset', 'near', 'date'].includes(kind)

/** Read a date with a time in machine format. */
function readMoment(tokens: Tokens, at: number): Found<Clause> | undefined {
  const start = skipKinds(tokens, at, 'at', 'on')
  const token = tokens[start]
  if (token?.type !== 'iso' || token.text.length === 10) return undefined
  return { value: { kind: 'moment', at: token.text.toUpperCase() }, end: start + 1 }
}

function readTimesClause(tokens: Tokens, at: number): Found<Clause> | undefined {
  const found = readTimes(tokens, at)
  if (!found) return undefined
  const { value, end } = found
  return { value: isUnplannable(value) ? { kind: 'open', ...value } : { kind: 'times', times: value }, end }
}

function readPartClause(tokens: Tokens, at: number): Found<Clause> | undefined {
  const found = readPart(tokens, at)
  if (!found) return undefined
  const habit = isKind(tokens[at], 'parts') ? (tokens[at]!.meanings.german ? 'maybe' : 'sure') : undefined
  return { value: { kind: 'part', part: found.value, ...(habit && { habit }) }, end: found.end }
}

/** Read `tomorrow`, `heute`, `the day after tomorrow`, `tonight`, `this evening`, `yesterday`. */
function readOffset(tokens: Tokens, at: number): Found<Clause> | undefined {
  const start = skipKinds(tokens, at, 'article')
  const isAfter = valueOf(tokens[start], 'unit') === 86_400 && isKind(tokens[start + 1], 'past')
  if (isAfter && valueOf(tokens[start + 2], 'offset') === 1)
    return { value: { kind: 'offset', days: 2 }, end: start + 3 }
  if (isKind(tokens[at], 'tonight')) return { value: { kind: 'offset', days: 0 }, end: at + 1 }
  if (isKind(tokens[at], 'this') && isKind(tokens[at + 1], 'part'))
    return { value: { kind: 'offset', days: 0 }, end: at + 1 }
  const days = valueOf(tokens[at], 'offset')
  // “heute in einer Woche”
  const span =
    days !== undefined && days >= 0 && isKind(tokens[at + 1], 'in') ? readIn(tokens, at + 1) : undefined
  if (days !== undefined && span?.value.kind === 'in' && span.value.seconds % DAY === 0)
    return { value: { kind: 'offset', days: days + span.value.seconds / DAY }, end: span.end }
  return days === undefined ? undefined : { value: { kind: 'offset', days }, end: at + 1 }
}

/** Read `once a day`, `zweimal täglich`, `3 times a week`: how many times the text must name. */
function readCount(tokens: Tokens, at: number): Found<Clause> | undefined {
  const word = valueOf(tokens[at], 'times')
  const number = word === undefined ? readNumber(tokens, at) : undefined
  const isTimes = number !== undefined && isKind(tokens[number.end], 'timesWord')
  if (word === undefined && !isTimes) return undefined
  const times = word ?? number!.value
  const start = skipKinds(tokens, word === undefined ? number!.end + 1 : at + 1, 'per', 'on', 'in', 'article')
  const unit = valueOf(tokens[start], 'unit', 'adverb')
  if (unit === HOUR)
    return {
      value:
        3600 % times === 0 && times <= 60
          ? { kind: 'every', seconds: HOUR / times }
          : { kind: 'open', open: 'How many minutes apart? Say “every 20 minutes”.' },
      end: start + 1,
    }
  if (unit === 86_400) return { value: { kind: 'count', times, unit: 'day' }, end: start + 1 }
  if (unit === 604_800) return { value: { kind: 'count', times, unit: 'week' }, end: start + 1 }
  const isMonth = valueOf(tokens[start], 'months', 'monthAdverb') === 1
  return isMonth ? { value: { kind: 'count', times, unit: 'month' }, end: start + 1 } : undefined
}

/** Whether a token only joins two clauses. */
export const isJoin = (token: Token): boolean =>
  isSign(token, ',;:-–—.()!?"“”„') || isKind(token, 'and', 'on', 'at')
