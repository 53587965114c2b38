import type { Clause, Unplannable, Placed } from '../read/clause.ts'
import { isJoin } from '../read/read-clauses.ts'
import { isKind, isPlain, type Token } from '../read/time-tokens.ts'

type Tokens = readonly Token[]

const RECURRING: readonly Clause['kind'][] = ['daily', 'monthdays', 'nth', 'every', 'cycle']
const isRecurring = ({ clause }: Placed) =>
  RECURRING.includes(clause.kind) ||
  (clause.kind === 'weekdays' && clause.isRecurring) ||
  (clause.kind === 'date' && clause.isYearly === true)
const isOneDay = ({ clause }: Placed) =>
  ['offset', 'near', 'date'].includes(clause.kind) || (clause.kind === 'weekdays' && !clause.isRecurring)
const isClock = ({ clause }: Placed) => ['times', 'part', 'moment', 'in'].includes(clause.kind)
const isAdverb = (token: Token | undefined) => isKind(token, 'adverb', 'monthAdverb')

const isLedByTask = (tokens: Tokens, { at }: Placed) =>
  /^(of|about|von|for|für|since|seit)$/i.test(tokens[at - 1]?.text ?? '') && isPlain(tokens[at - 2])

/** Ask a question if the only day may belong to the task: “at 8 pm set the alarm for tomorrow”. */
export function dayOfTask(tokens: Tokens, placed: readonly Placed[]): Unplannable | undefined {
  const day = placed.find(each => isOneDay(each) && isLedByTask(tokens, each))
  const isApart = day && !placed.some(each => isClock(each) && touches(tokens, day, each))
  return isApart && placed.length > 1
    ? { open: 'Is the day part of the time or of the task? Write the day and the time together.' }
    : undefined
}

/** Ask a question if a start or an end may belong to the task: “at 8 drink water for two weeks”. */
export function boundOfTask(tokens: Tokens, placed: readonly Placed[]): Unplannable | undefined {
  const apart = placed.find(
    each =>
      ['start', 'end'].includes(each.clause.kind) &&
      // “send the report from Monday every Friday at 9”: a word of the task comes directly before.
      (isPlain(tokens[each.at - 1]) || !placed.some(other => touches(tokens, each, other))),
  )
  if (!apart) return undefined
  const text = tokens
    .slice(apart.at, apart.end)
    .map(each => each.text)
    .join(' ')
  return {
    open: `Is “${text}” part of the time or of the task? Put it next to the time, or put the task in quotes.`,
  }
}

function touches(tokens: Tokens, a: Placed, b: Placed): boolean {
  const [first, second] = a.at < b.at ? [a, b] : [b, a]
  return a !== b && tokens.slice(first.end, second.at).every(isJoin)
}

/** Whether a clause is one word such as “weekly” before a word of the task: “weekly tidy up”. */
export const isAdverbOfTask = (tokens: Tokens, { at, end }: Placed): boolean =>
  isAdverb(tokens[at]) && end - at === 1 && isPlain(tokens[end])

/**
 * The clauses that say when the schedule runs. Clauses of the task, such as “the daily report” and “prepare
 * the talk on Friday”, are left out if the text says elsewhere when it runs.
 */
export function withoutTask(tokens: Tokens, placed: readonly Placed[]): Placed[] {
  const isTask = (each: Placed) => {
    const others = placed.filter(other => other !== each)
    const isNearby = others.some(other => touches(tokens, each, other))
    if (isAdverb(tokens[each.at]) && each.end - each.at === 1) {
      const isBefore = isPlain(tokens[each.end])
      return isBefore && !isNearby && others.some(other => isRecurring(other) || isOneDay(other))
    }
    // “remind me of the 3pm call”
    const isOfNoun = isKind(tokens[each.at - 1], 'article') && isPlain(tokens[each.end])
    if (each.clause.kind === 'times' && isOfNoun && !isNearby)
      return others.some(
        clock => isClock(clock) && others.some(day => !isClock(day) && touches(tokens, day, clock)),
      )
    const isOfTask = isPlain(tokens[each.at - 1]) || isLedByTask(tokens, each)
    if (!isOneDay(each) || isNearby || !isOfTask) return false
    return others.some(
      other =>
        isRecurring(other) ||
        (isOneDay(other) && others.some(clock => isClock(clock) && touches(tokens, other, clock))),
    )
  }
  const kept = placed.filter(each => !isTask(each))
  return kept.some(each => isRecurring(each) || isOneDay(each) || isClock(each)) ? kept : [...placed]
}
