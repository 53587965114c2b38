import { canAfford, rewind } from './context.ts'
import { readTaggedCalls } from './fences.ts'
import { readHeader } from './headers.ts'
import { type Reading, skipBlanks } from './input.ts'
import { readMarkedCalls } from './marked-calls.ts'
import type { Marker } from './markers.ts'
import { pass, type Place } from './place.ts'
import { readReasoning } from './reasoning.ts'
import { readName } from './bodies/words.ts'

/** Do what a piece of markup in the text says. False if it is ordinary text here, and nothing was read then. */
export function* readMarkup(place: Place, marker: Marker): Reading<boolean> {
  const { context, out } = place
  const { input } = context
  switch (marker.role) {
    case 'open':
    case 'raw':
    case 'named':
      return !place.isQuotation && (yield* readCalls(place, marker))
    case 'maybe':
      return !place.isQuotation && (yield* readMaybe(place, marker))
    case 'think': {
      // A tag in the middle of a sentence is spoken of; a token of the model never is.
      if (!isToken(marker) && !place.isLineStart) {
        place.isThinkText = true
        return false
      }
      input.at += marker.length
      yield* readReasoning(context, out, 'unthink')
      break
    }
    case 'unthink':
      if (place.isThinkText) return (place.isThinkText = false)
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
      const part = canAfford(context) ? yield* readHeader(context, marker, out.call) : undefined
      if (part === undefined) {
        rewind(context, from)
        return false
      }
      if (part === 'reasoning') yield* readReasoning(context, out, 'part')
      return pass(place, part === 'call')
    }
    case 'unmaybe':
      if (!place.isAfterCall && !place.isFramed) return false
      input.at += marker.length
      out.hold('stop')
      return true
    case 'close':
    case 'unnamed':
      // Behind anything but a call the tag is spoken of; a token of the model never is.
      if (!place.isAfterCall && !isToken(marker)) return false
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
  return pass(place, false)
}

function isToken({ mark }: Marker): boolean {
  return !mark.startsWith('<') || mark.startsWith('<|')
}

function* readCalls(place: Place, marker: Marker): Reading<boolean> {
  const { context, out } = place
  const from = context.input.at
  const isRead = canAfford(context) && (yield* readMarkedCalls(context, marker, out.call))
  if (isRead) return pass(place, true)
  rewind(context, from)
  return false
}

function* readMaybe(place: Place, marker: Marker): Reading<boolean> {
  const { context, out } = place
  const from = context.input.at
  context.input.at += marker.length
  const behind = context.input.at
  const calls = canAfford(context) ? yield* readTaggedCalls(context, marker) : undefined
  if (calls) {
    calls.forEach(out.call)
    return pass(place, true)
  }
  rewind(context, from)
  // Granite and Hunyuan put their whole answer into such a tag.
  if (out.hasShown || !['<response>', '<answer>'].includes(marker.mark)) return false
  context.input.at = behind
  place.isFramed = true
  return pass(place, false)
}
