import { HOUR, type Clause, type Found } from './clause.ts'
import { readNumber } from './read-times.ts'
import { isKind, isSign, skipKinds, valueOf, type Token } from './time-tokens.ts'

type Tokens = readonly Token[]

const QUARTER =
  'At 15 minutes past, or at each quarter? Say “at 15 past each hour”, or “at :00, :15, :30 and :45 of every hour”.'

/** Read minutes of each hour: `at 10 past each hour`, `every hour at :15`, `zur vollen Stunde`. */
export function readPhase(tokens: Tokens, at: number): Found<Clause> | undefined {
  const start = skipKinds(tokens, at, 'at', 'on', 'in', 'article')
  const full = readFullHour(tokens, at, start)
  if (full) return full
  const minutes: number[] = []
  let isHourly = false
  let end = start
  for (let next = start; ;) {
    const found = readMinutes(tokens, next)
    if (!found) break
    minutes.push(...found.value.minutes)
    isHourly ||= found.value.isHourly
    end = found.end
    const joined = isSign(tokens[end], ',') ? end + 1 : end
    next = isKind(tokens[joined], 'and') ? joined + 1 : joined
    if (next === end) break
    next = skipKinds(tokens, next, 'at')
  }
  if (minutes.length === 0) return undefined
  const hour = endOfEachHour(tokens, end)
  // Without “each hour” after it, it must follow “hourly”: “hourly at :15”.
  if (hour === undefined && !isHourly && !isBehindHourly(tokens, at)) return undefined
  return {
    value: {
      kind: 'phase',
      minutes: [...new Set(minutes)].toSorted((a, b) => a - b),
      isHourly: isHourly || hour !== undefined,
    },
    end: hour ?? end,
  }
}

/** Read `on the hour`, `on the half hour`, `jede volle Stunde`, `at the top of the hour`. */
function readFullHour(tokens: Tokens, at: number, start: number): Found<Clause> | undefined {
  const isEvery = isKind(tokens[start], 'every')
  const first = isEvery ? start + 1 : start
  const isLed = start > at || isEvery || /^zur$/i.test(tokens[at]?.text ?? '')
  const word = /^zur$/i.test(tokens[first]?.text ?? '') ? first + 1 : first
  const text = tokens[word]?.text ?? ''
  const isHour = (index: number) => valueOf(tokens[index], 'unit') === HOUR
  const of = (minutes: number[], end: number, isHourly = isEvery): Found<Clause> => ({
    value: { kind: 'phase', minutes, isHourly },
    end,
  })
  if (!isLed) return undefined
  if (/^(full|volle[nr]?|whole|exact)$/i.test(text) && isHour(word + 1)) return of([0], word + 2, true)
  if (/^(top|bottom)$/i.test(text) && isKind(tokens[word + 1], 'of')) {
    const end = skipKinds(tokens, word + 1, 'of', 'article', 'every')
    if (isHour(end)) return of([/^top$/i.test(text) ? 0 : 30], end + 1, true)
  }
  if (isEvery) return undefined
  // “on the hour” and “zur halben Stunde”. In contrast, “an hour” and “in the half hour” are lengths.
  const isOn = /^(on|at|zur)$/i.test(tokens[at]!.text) && !/^a/i.test(tokens[word - 1]?.text ?? '')
  const hasArticle = isKind(tokens[word - 1], 'article') || word > first
  if (!isOn || !hasArticle) return undefined
  const more = isKind(tokens[word + 1], 'and') ? skipKinds(tokens, word + 2, 'on', 'at', 'article') : word
  if (isHour(word))
    return isKind(tokens[more], 'half')
      ? of([0, 30], isHour(more + 1) ? more + 2 : more + 1)
      : of([0], word + 1)
  if (isKind(tokens[word], 'half')) return of([30], isHour(word + 1) ? word + 2 : word + 1)
  const isQuarter = isKind(tokens[word], 'quarter') || /^quarters$/i.test(text)
  if (isQuarter && (isHour(word + 1) || isBehindHourly(tokens, at)))
    return { value: { kind: 'open', open: QUARTER }, end: isHour(word + 1) ? word + 2 : word + 1 }
  return undefined
}

type Minutes = { minutes: number[]; isHourly: boolean }

/** Read `:15`, `minute 15`, `10 past`, `10 and 40 past each hour`, `a quarter to`, `halb`, but no hour. */
function readMinutes(tokens: Tokens, at: number): Found<Minutes> | undefined {
  const of = (minutes: number[], end: number): Found<Minutes> => ({
    value: { minutes, isHourly: false },
    end,
  })
  const glued = tokens[at + 1]
  if (isSign(tokens[at], ':') && glued?.isGlued === true && /^[0-5]\d$/.test(glued.text))
    return of([glued.number!], isKind(tokens[at + 2], 'past') ? at + 3 : at + 2)
  const isMinute = valueOf(tokens[at], 'unit') === 60
  if (isMinute && glued?.type === 'number' && glued.number! < 60) return of([glued.number!], at + 2)
  const isHalf = isKind(tokens[at], 'half')
  if (
    isHalf &&
    valueOf(tokens[at], 'half') === 2 &&
    !readNumber(tokens, at + 1) &&
    !isKind(glued, 'unit', 'clock')
  )
    return of([30], at + 1)
  const start = /^(an?|ein)$/i.test(tokens[at]?.text ?? '') ? at + 1 : at
  const list: number[] = []
  let end = start
  const single = isHalf ? at : isKind(tokens[start], 'quarter') ? start : undefined
  if (single !== undefined) {
    list.push(isHalf ? 30 : 15)
    end = single + 1
  } else
    for (let next = start; ;) {
      const number = readNumber(tokens, next)
      if (!number || number.value > 59) break
      list.push(number.value)
      end = number.end
      if (!isKind(tokens[end], 'and') && !isSign(tokens[end], ',')) break
      next = end + 1
    }
  if (list.length === 0) return undefined
  if (valueOf(tokens[end], 'unit') === 60) end++
  const isPast = isKind(tokens[end], 'past')
  if (!isPast && !isKind(tokens[end], 'before')) return undefined
  // “10 past eight” is a time of day.
  const next = tokens[end + 1]
  const isTime = next?.type === 'number' || next?.type === 'clock' || isKind(next, 'clock', 'half')
  if (isTime || (isKind(next, 'number') && !isEach(next))) return undefined
  return of(isPast ? list : list.map(minute => (60 - minute) % 60), end + 1)
}

const isEach = (token: Token | undefined) => isKind(token, 'every')

/** The index after `each hour`, `of every hour`, `the hour`, `jeder vollen Stunde`, `der vollen Stunde`. */
function endOfEachHour(tokens: Tokens, at: number): number | undefined {
  const start = skipKinds(tokens, at, 'of', 'in', 'on', 'article', 'every')
  if (start === at) return undefined
  const full = /^(full|volle[nrs]?)$/i.test(tokens[start]?.text ?? '') ? start + 1 : start
  return valueOf(tokens[full], 'unit') === HOUR ? full + 1 : undefined
}

/** Whether “hourly”, “every hour” or “every 2 hours” comes directly before. */
function isBehindHourly(tokens: Tokens, at: number): boolean {
  let before = at - 1
  if (isSign(tokens[before], ',:-–—')) before--
  const isAdverb = valueOf(tokens[before], 'adverb') === HOUR
  return (
    isAdverb ||
    (valueOf(tokens[before], 'unit') === HOUR && tokens.slice(Math.max(0, before - 3), before).some(isEach))
  )
}
