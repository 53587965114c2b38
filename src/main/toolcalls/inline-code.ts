import { BACKTICK, LF } from './characters.ts'
import { countTicks } from './fences.ts'
import { END, type Reading } from './input.ts'
import type { Place } from './place.ts'

/** Read backticks in a line, which open or close inline code. */
export function* readTicks(place: Place): Reading<boolean> {
  const { context, out } = place
  const ticks = yield* countTicks(context)
  if (place.ticks === 0) place.ticks = ticks
  else if (place.ticks === ticks) place.ticks = 0
  place.isLineStart = place.isAfterCall = false
  out.text()
  return true
}

/** Whether the place is inside inline code, which is so only if the backticks close on the same line. */
export function* isInlineCode(place: Place): Reading<boolean> {
  const { input } = place.context
  if (place.ticks <= 0) return false
  if (input.at < place.ticksCloseAt) return true
  const from = input.at
  let ticks = 0
  for (;;) {
    while (input.empty) yield
    const code = input.code()
    if (code === BACKTICK) ticks++
    else if (ticks === place.ticks) break
    else if (code === END || code === LF || input.at - from > 2000) {
      input.at = from
      place.ticks = -1
      return false
    } else ticks = 0
    input.at++
  }
  place.ticksCloseAt = input.at
  input.at = from
  return true
}
