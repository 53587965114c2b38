import { LF } from './characters.ts'
import { canAfford, type Context, rewind } from './context.ts'
import { END, type Reading } from './input.ts'
import { type Found, judge, type Written } from './judge.ts'
import { beginsMarker, readMarker } from './markers.ts'
import { Trouble } from './trouble.ts'
import type { Role } from './wrappers.ts'

/** A stretch of calls behind a mark, while it is being read. */
export type Region = {
  context: Context
  found: Found
  /** Inside a mark that was not closed, so that words may be names. */
  isOpen: boolean
  /** Line feeds around values are part of them. */
  isVerbatim: boolean
  /** Where the call that is read now begins. */
  from: number
  /** What was in it: so far only marks, an explicit nothing, other text that was stepped over, or calls. */
  holds: 'marks' | 'nothing' | 'text' | 'calls'
}

/** Tell calls that were read up to here. */
export function tell(region: Region, list: readonly Written[]): void {
  const { context, from, found } = region
  if (list.length === 0) return note(region, 'nothing')
  const raw = context.input.slice(from)
  region.from = context.input.at
  region.holds = 'calls'
  for (const written of list) found(judge(written, context, raw))
}

/** Keep in mind that there was something else than calls. */
export function note(region: Region, what: 'nothing' | 'text'): void {
  if (region.holds === 'marks' || (region.holds === 'nothing' && what === 'text')) region.holds = what
}

/** Tell of a call that cannot be read, and go on behind the mark that closes it, or behind its line. */
export function* recover(
  region: Region,
  name: string | undefined,
  trouble: Trouble,
  from: number,
  to: 'mark' | 'line' = 'mark',
): Reading<void> {
  const { context } = region
  // In search of a quote the reading may have run on through the closing mark, so that is looked for from the start.
  rewind(context, canAfford(context) ? from : context.input.at)
  const hasEnded = yield* skipCall(context, to)
  if (to === 'mark') region.isOpen = false
  tellTrouble(
    region,
    name,
    trouble.kind === 'cut' && !hasEnded
      ? new Trouble('a quote or a bracket is not closed', 'quotes')
      : trouble,
  )
}

/** Tell of a call that cannot be read, by name if an object gives one. */
export function tellTrouble(region: Region, name: string | undefined, trouble: Trouble): void {
  const raw = region.context.input.slice(region.from)
  tell(region, [{ name: name ?? NAME.exec(raw)?.[1], arguments: trouble }])
}

const NAME = /["']?name["']?\s*:\s*["']([^"'\n]{1,80})["']/
const NEXT = new Set<Role>(['open', 'named', 'raw', 'stop', 'header', 'think', 'unthink'])

/** Step over a broken call and the mark that closes it. True if the text ends first. */
function* skipCall({ input }: Context, to: 'mark' | 'line'): Reading<boolean> {
  for (;;) {
    while (input.empty) yield
    const code = input.code()
    if (code === END) return true
    if (to === 'line' && code === LF) return false
    const marker = beginsMarker(code) ? yield* readMarker(input) : undefined
    if (marker?.role === 'close' || marker?.role === 'unnamed') {
      if (to === 'mark') input.at += marker.length
      return false
    }
    if (marker && NEXT.has(marker.role)) return false
    input.at++
  }
}

/**
 * Whether a few words that are no call stand between marks, as in `<tool_call>list files</tool_call>`. In the middle of
 * a line the marks are spoken of.
 */
export function* readWordsInMarks(region: Region): Reading<boolean> {
  const { input } = region.context
  if (!/(^|[\n>])[ \t]*$/.test(input.slice(Math.max(0, region.from - 8), region.from))) return false
  const last = input.at + 200
  while (input.at < last) {
    while (input.empty) yield
    const code = input.code()
    if (code === END || code === LF) return false
    const marker = beginsMarker(code) ? yield* readMarker(input) : undefined
    if (marker?.role === 'close') {
      input.at += marker.length
      tellTrouble(region, undefined, new Trouble('write one JSON object with "name" and "arguments"'))
      return true
    }
    if (marker) return false
    input.at++
  }
  return false
}
