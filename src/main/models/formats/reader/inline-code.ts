import { BACKTICK, LF } from './char-codes.ts'
import { countTicks } from './fences.ts'
import { END, type Reading } from './input.ts'
import type { Position } from './position.ts'

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

/** Whether the position is inside inline code, which is the case only if the backticks close on the same line. */
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
