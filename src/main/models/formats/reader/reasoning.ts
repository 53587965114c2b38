import {
  isSpace,
  canAffordAttempt,
  type Context,
  rewindInput,
  END,
  type Reading,
  skipSpace,
} from './input.ts'
import type { BadCall, Call } from './check-call.ts'
import { readMarkedCalls } from './marked-calls.ts'
import { beginsMarker, type Marker, readMarker, type Role } from './markers.ts'
import type { Outbox } from './outbox.ts'

/** A call inside a block that is still open, and its range. */
type Provisional = { from: number; to: number; calls: readonly (Call | BadCall)[] }

/**
 * Read reasoning up to its end. A call in it is provisional: if the block closes it was a thought, and if the message
 * ends first it was meant. So everything after such a call waits.
 */
export function* readReasoning(context: Context, out: Outbox, ends: 'unthink' | 'part'): Reading<void> {
  const { input } = context
  const provisional: Provisional[] = []
  let from = input.at
  let to = input.at
  let isFirst = true

  const tell = (end: number) => {
    const text = input.slice(from, end)
    const shown = isFirst ? text.trimStart() : text
    if (shown === '') return
    out.reason(shown, isFirst)
    isFirst = false
    from = end
  }

  for (;;) {
    if (input.empty && provisional.length === 0) tell(to)
    while (input.empty) yield
    const code = input.code()
    if (code === END) break
    if (isSpace(code)) {
      input.at++
      continue
    }
    const marker = beginsMarker(code) ? yield* readMarker(input) : undefined
    if (marker && ENDS[ends].has(marker.role)) {
      tell(to)
      if (marker.role === 'unthink' || marker.role === 'frame') input.at += marker.length
      return out.drop()
    }
    if (marker?.role === 'stop' && (yield* isLast(context, marker))) break
    if (marker && provisional.length === 0) tell(to)
    const calls = marker && ends === 'unthink' ? yield* attempt(context, marker) : []
    if (calls.length > 0) provisional.push({ from: to, to: input.at, calls })
    else if (marker?.role === 'think' && isFirst && to === from) from = input.at += marker.length
    else input.at += marker?.length ?? 1
    to = input.at
  }
  // A model that ran out of tokens was still thinking, so no call in the block was decided.
  for (const call of context.truncated ? [] : provisional) {
    tell(call.from)
    from = call.to
    call.calls.forEach(out.call)
  }
  tell(to)
  out.drop()
}

const ENDS: Record<'unthink' | 'part', ReadonlySet<Role>> = {
  unthink: new Set(['unthink', 'frame']),
  part: new Set(['stop', 'header']),
}

function* attempt(context: Context, marker: Marker): Reading<readonly (Call | BadCall)[]> {
  const { input } = context
  if (!['open', 'raw', 'named'].includes(marker.role) || !canAffordAttempt(context)) return []
  const from = input.at
  const calls: (Call | BadCall)[] = []
  const isRead = yield* readMarkedCalls(context, marker, call => calls.push(call))
  if (isRead && calls.length > 0 && calls.every(call => call.type === 'call')) return calls
  rewindInput(context, from)
  return []
}

/** Whether only white space follows, which is consumed. */
function* isLast({ input }: Context, marker: Marker): Reading<boolean> {
  const from = input.at
  input.at += marker.length
  yield* skipSpace(input)
  if (input.code() === END) return true
  input.at = from
  return false
}
