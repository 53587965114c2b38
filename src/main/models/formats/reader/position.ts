import type { Context } from './context.ts'
import type { Call } from './judge.ts'
import type { Outbox } from './outbox.ts'

/** Where in the visible text the reading stands. */
export type Place = {
  context: Context
  out: Outbox
  /** Only blanks since the line feed, or since something that is not text. */
  isLineStart: boolean
  /** Only white space since a call. */
  isAfterCall: boolean
  /** A tag around reasoning was text, so its other half is too. */
  isThinkText: boolean
  /** The answer stands in a tag, which is not shown. */
  isFramed: boolean
  /** The line is a quotation, in which nothing is called. */
  isQuotation: boolean
  /** How many backticks opened inline code on this line; 0 outside of it, -1 if none of it closes. */
  ticks: number
  /** Up to here inline code is known to close. */
  ticksCloseAt: number
  /** Brackets that text opened; what is nested in them is data, not a call. */
  braces: number
  lists: number
}

/** The beginning of a message. */
export function startPlace(context: Context, out: Outbox): Place {
  const state = {
    isLineStart: true,
    isAfterCall: false,
    isFramed: false,
    isThinkText: false,
    isQuotation: false,
  }
  return { context, out, ...state, ticks: 0, ticksCloseAt: 0, braces: 0, lists: 0 }
}

/** Go on behind something that is not text. */
export function pass(place: Place, isCall: boolean): true {
  place.out.drop()
  place.isLineStart = true
  place.isAfterCall = isCall
  return true
}

/** Go on behind calls without a mark. */
export function passUnmarked(place: Place, calls: readonly Call[], where: 'ends' | 'alone' = 'ends'): true {
  place.out.maybe(calls, where)
  place.isLineStart = place.isAfterCall = true
  return true
}
