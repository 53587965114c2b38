import {
  LF,
  canAffordAttempt,
  type Context,
  rewindInput,
  END,
  type Reading,
  skipSpace,
  Unreadable,
} from './reader-input.ts'
import { type OnCall, checkCall, type WrittenCall } from './check-call.ts'
import { beginsMarker, readMarker, type Role } from './markers.ts'

/** The state of reading a run of calls after a mark. */
export type Region = {
  context: Context
  found: OnCall
  /** The mark is not closed yet, so words may be names. */
  isOpen: boolean
  /** Line feeds around values are part of them. */
  isVerbatim: boolean
  /** The start of the current call. */
  from: number
  /** The content of the current call so far: only marks, an explicit nothing, skipped text, or calls. */
  holds: 'marks' | 'nothing' | 'text' | 'calls'
}

/** Report calls that were read up to here. */
export function reportCalls(region: Region, list: readonly WrittenCall[]): void {
  const { context, from, found } = region
  if (list.length === 0) return noteNoCalls(region, 'nothing')
  const raw = context.input.slice(from)
  region.from = context.input.at
  region.holds = 'calls'
  for (const written of list) found(checkCall(written, context, raw))
}

/** Record that there was something other than calls. */
export function noteNoCalls(region: Region, what: 'nothing' | 'text'): void {
  if (region.holds === 'marks' || (region.holds === 'nothing' && what === 'text')) region.holds = what
}

/** Report an unreadable call, and continue after the mark that closes it, or after its line. */
export function* reportAndSkipCall(
  region: Region,
  name: string | undefined,
  trouble: Unreadable,
  from: number,
  to: 'mark' | 'line' = 'mark',
): Reading<void> {
  const { context } = region
  // The search for a closing quote may have passed the closing mark, so search again from the start.
  rewindInput(context, canAffordAttempt(context) ? from : context.input.at)
  const hasEnded = yield* skipCall(context, to)
  if (to === 'mark') region.isOpen = false
  reportUnreadable(
    region,
    name,
    trouble.kind === 'cut' && !hasEnded
      ? new Unreadable('a quote or a bracket is not closed', 'quotes')
      : trouble,
  )
}

/** Report an unreadable call, with its name if an object contains one. */
export function reportUnreadable(region: Region, name: string | undefined, trouble: Unreadable): void {
  const raw = region.context.input.slice(region.from)
  reportCalls(region, [{ name: name ?? NAME.exec(raw)?.[1], arguments: trouble }])
}

const NAME = /["']?name["']?\s*:\s*["']([^"'\n]{1,80})["']/
const NEXT = new Set<Role>(['open', 'named', 'raw', 'stop', 'header', 'think', 'unthink'])

/** Skip a broken call and the mark that closes it. True if the text ends first. */
function* skipCall({ input }: Context, to: 'mark' | 'line'): Reading<boolean> {
  for (;;) {
    while (input.empty) yield
    const code = input.code()
    if (code === END) return true
    if (to === 'line' && code === LF) return false
    const marker = beginsMarker(code, input) ? yield* readMarker(input) : undefined
    if (marker?.role === 'close' || marker?.role === 'unnamed') {
      if (to === 'mark') input.at += marker.length
      return false
    }
    if (marker && NEXT.has(marker.role)) return false
    input.at++
  }
}

/**
 * Whether the marks contain a few words on one line that are not a call, as in `<tool_call>list
 * files</tool_call>`. In the middle of a line the marks are only being discussed.
 */
export function* readWordsInMarks(region: Region): Reading<boolean> {
  const { input } = region.context
  if (!/(^|[\n>])[ \t]*$/.test(input.slice(Math.max(0, region.from - 8), region.from))) return false
  const last = input.at + 200
  let isLastLine = false
  while (input.at < last) {
    while (input.empty) yield
    if (input.code() === LF) isLastLine = true
    if (isLastLine) yield* skipSpace(input)
    const code = input.code()
    const marker = beginsMarker(code, input) ? yield* readMarker(input) : undefined
    if (code === END || (isLastLine && marker === undefined)) return false
    if (marker?.role === 'close') {
      input.at += marker.length
      reportUnreadable(region, undefined, new Unreadable('write one JSON object with "name" and "arguments"'))
      return true
    }
    if (marker) return false
    input.at++
  }
  return false
}
