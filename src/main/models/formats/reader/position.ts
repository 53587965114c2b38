import type { Context } from './reading-context.ts'
import type { Call } from './check-call.ts'
import type { Outbox } from './outbox.ts'

/** The state of reading at a position in the visible text. */
export type Position = {
  context: Context
  out: Outbox
  /** Only blanks since the line feed, or since something that is not text. */
  isLineStart: boolean
  /** Only white space since a call. */
  isAfterCall: boolean
  /** An opening tag for reasoning was plain text, so the closing tag is too. */
  isThinkText: boolean
  /** The answer is inside a tag, which is not shown. */
  isFramed: boolean
  /** The line is a quotation, in which calls do not count. */
  isQuotation: boolean
  /** How many backticks opened inline code on this line; 0 outside of it, -1 if none of it closes. */
  ticks: number
  /** Inline code is known to close at or after this index. */
  ticksCloseAt: number
  /** Open brackets in the text; anything nested in them is data, not a call. */
  braces: number
  lists: number
}

/** The start of a message. */
export function startPosition(context: Context, out: Outbox): Position {
  const state = {
    isLineStart: true,
    isAfterCall: false,
    isFramed: false,
    isThinkText: false,
    isQuotation: false,
  }
  return { context, out, ...state, ticks: 0, ticksCloseAt: 0, braces: 0, lists: 0 }
}

/** Continue after something that is not text. */
export function passCalls(position: Position, isCall: boolean): true {
  position.out.drop()
  position.isLineStart = true
  position.isAfterCall = isCall
  return true
}

/** Continue after calls without a mark. */
export function passUnmarked(
  position: Position,
  calls: readonly Call[],
  where: 'ends' | 'alone' = 'ends',
): true {
  position.out.maybe(calls, where)
  position.isLineStart = position.isAfterCall = true
  return true
}
