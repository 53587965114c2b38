import { type Context, BACKTICK, LF, END, type Reading } from './reader-input.ts'
import type { Call } from './check-call.ts'
import type { ReaderEvents } from './emit-events.ts'
import { countTicks } from './read-fences.ts'

/** The state of reading at a position in the visible text. */
export type Position = {
  context: Context
  out: ReaderEvents
  /** Only blanks have followed the line feed, or the last part that is not text. */
  isLineStart: boolean
  /** Only white space has followed a call. */
  isAfterCall: boolean
  /** An opening tag for reasoning was plain text, so the closing tag is too. */
  isThinkText: boolean
  /** The answer is inside a tag, which is not shown. */
  isFramed: boolean
  /** The line is a quotation, in which calls do not count. */
  isQuotation: boolean
  /** How many backticks opened inline code on this line; 0 outside of it, -1 if it does not close. */
  ticks: number
  /** Inline code is known to close at or after this index. */
  ticksCloseAt: number
  /** Open brackets in the text; anything nested in them is data, not a call. */
  braces: number
  lists: number
}

/** The start of a message. */
export function startPosition(context: Context, out: ReaderEvents): Position {
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
export function continueAfterMarkup(position: Position, isCall: boolean): true {
  position.out.drop()
  position.isLineStart = true
  position.isAfterCall = isCall
  return true
}

/** Continue after calls without a mark. */
export function continueAfterUnmarkedCalls(
  position: Position,
  calls: readonly Call[],
  where: 'ends' | 'alone' = 'ends',
): true {
  position.out.maybe(calls, where)
  position.isLineStart = position.isAfterCall = true
  return true
}

/** Read a run of backticks, which opens or closes inline code. */
export function* readTicks(position: Position): Reading<boolean> {
  const { context, out } = position
  const ticks = yield* countTicks(context)
  if (position.ticks === 0) position.ticks = ticks
  else if (position.ticks === ticks) position.ticks = 0
  position.isLineStart = position.isAfterCall = false
  out.text()
  return true
}

/** Whether the position is inside inline code. Its backticks must close on the same line. */
export function* isInlineCode(position: Position): Reading<boolean> {
  const { input } = position.context
  if (position.ticks <= 0) return false
  if (input.at < position.ticksCloseAt) return true
  const from = input.at
  let ticks = 0
  for (;;) {
    while (input.empty) yield
    const code = input.code()
    if (code === BACKTICK) ticks++
    else if (ticks === position.ticks) break
    else if (code === END || code === LF || input.at - from > 2000) {
      input.at = from
      position.ticks = -1
      return false
    } else ticks = 0
    input.at++
  }
  position.ticksCloseAt = input.at
  input.at = from
  return true
}
