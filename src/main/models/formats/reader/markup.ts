import { canAffordAttempt, rewindInput, type Reading, skipBlanks } from './input.ts'
import { readTaggedCalls } from './fences.ts'
import { readHeader } from './part-headers.ts'
import { readMarkedCalls } from './marked-calls.ts'
import type { Marker } from './markers.ts'
import { continueAfterMarkup, type Position } from './position.ts'
import { readReasoning } from './reasoning.ts'
import { readName } from './bodies/lexemes.ts'

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
      // A tag in the middle of a sentence is being discussed; a special token never is.
      if (!isToken(marker) && !position.isLineStart) {
        position.isThinkText = true
        return false
      }
      input.at += marker.length
      yield* readReasoning(context, out, 'unthink')
      break
    }
    case 'unthink':
      if (position.isThinkText) return (position.isThinkText = false)
      input.at += marker.length
      out.restart()
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
      // A closing tag that does not follow a call is being discussed; a special token never is.
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
  // Granite and Hunyuan put their whole answer into such a tag.
  if (out.hasShown || !['<response>', '<answer>'].includes(marker.mark)) return false
  context.input.at = behind
  position.isFramed = true
  return continueAfterMarkup(position, false)
}
