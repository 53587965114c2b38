import {
  canAffordAttempt,
  rewindInput,
  skipBlanks,
  isSpace,
  END,
  skipSpace,
  type Reading,
  type Context,
} from './reader-input.ts'
import { readTaggedCalls } from './read-fences.ts'
import { readHeader } from './part-headers.ts'
import { readMarkedCalls } from './marked-calls.ts'
import { beginsMarker, readMarker, type Marker, type Role } from './markers.ts'
import { continueAfterMarkup, type Position } from './text-position.ts'
import { readName } from './bodies/lexemes.ts'
import type { BadCall, Call } from './check-call.ts'
import type { ReaderEvents } from './emit-events.ts'

/** Apply a piece of markup in the text. False, with nothing consumed, if it is ordinary text here. */
export function* readMarkup(position: Position, marker: Marker): Reading<boolean> {
  const { context, out } = position
  const { input } = context
  switch (marker.role) {
    case 'open':
    case 'raw':
    case 'named':
      return !position.isQuotation && (yield* readCalls(position, marker))
    case 'maybe':
      return !position.isQuotation && (yield* readMaybe(position, marker))
    case 'think': {
      // A tag in the middle of a sentence is part of the text, unless it is a special token.
      if (!isToken(marker) && !position.isLineStart) {
        position.isThinkText = true
        return false
      }
      input.at += marker.length
      // The thoughts of Solar Open end like every part of its messages.
      yield* readReasoning(context, out, marker.mark === '<|think|>' ? 'part' : 'unthink')
      break
    }
    case 'unthink':
      if (position.isThinkText) return (position.isThinkText = false)
      input.at += marker.length
      out.restart(input.at - marker.length)
      break
    case 'channel': {
      input.at += marker.length
      const name = yield* readName(input)
      yield* skipBlanks(input)
      if (name === 'thought') yield* readReasoning(context, out, 'unthink')
      break
    }
    case 'frame':
      input.at += marker.length
      // The prompts of Apriel begin a thought, which this mark ends.
      if (marker.mark === '[BEGIN_FINAL_RESPONSE]' && position.isLineStart)
        out.restart(input.at - marker.length)
      break
    case 'header': {
      const from = input.at
      const part = canAffordAttempt(context) ? yield* readHeader(context, marker, out.call) : undefined
      if (part === undefined) {
        rewindInput(context, from)
        return false
      }
      if (part === 'reasoning') yield* readReasoning(context, out, 'part')
      return continueAfterMarkup(position, part === 'call')
    }
    case 'unmaybe':
      if (!position.isAfterCall && !position.isFramed) return false
      input.at += marker.length
      out.hold('stop')
      return true
    case 'close':
    case 'unnamed':
      // A closing tag that does not follow a call is part of the text, unless it is a special token.
      if (!position.isAfterCall && !isToken(marker)) return false
      input.at += marker.length
      out.hold('stop')
      return true
    case 'stop':
      input.at += marker.length
      out.hold('stop')
      return true
    case 'parameter':
    case 'unparameter':
    case 'key':
    case 'unkey':
    case 'value':
    case 'unvalue':
    case 'joint':
      return false
  }
  return continueAfterMarkup(position, false)
}

function isToken({ mark }: Marker): boolean {
  return !mark.startsWith('<') || mark.startsWith('<|')
}

function* readCalls(position: Position, marker: Marker): Reading<boolean> {
  const { context, out } = position
  const from = context.input.at
  const isRead = canAffordAttempt(context) && (yield* readMarkedCalls(context, marker, out.call))
  if (isRead) return continueAfterMarkup(position, true)
  rewindInput(context, from)
  return false
}

function* readMaybe(position: Position, marker: Marker): Reading<boolean> {
  const { context, out } = position
  const from = context.input.at
  context.input.at += marker.length
  const behind = context.input.at
  const calls = canAffordAttempt(context) ? yield* readTaggedCalls(context, marker) : undefined
  if (calls) {
    calls.forEach(out.call)
    return continueAfterMarkup(position, true)
  }
  rewindInput(context, from)
  // Granite and Hunyuan put their whole answer into `<response>` or `<answer>`.
  if (out.hasShown || !['<response>', '<answer>'].includes(marker.mark)) return false
  context.input.at = behind
  position.isFramed = true
  return continueAfterMarkup(position, false)
}

/** A call inside a block that is still open, and its range. */
type Provisional = { from: number; to: number; calls: readonly (Call | BadCall)[] }

/**
 * Read reasoning up to its end. A call in it is provisional. If the block closes, the call was only a
 * thought; if the message ends first, the call was meant. So everything after such a call waits.
 */
export function* readReasoning(context: Context, out: ReaderEvents, ends: 'unthink' | 'part'): Reading<void> {
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
    const marker = beginsMarker(code, input) ? yield* readMarker(input) : undefined
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
