import { structuredPatch, type StructuredPatchHunk } from 'diff'

const CONTEXT = 3
/** Maximum number of edits before the whole part is shown as replaced, because the search gets slow. */
const MAX_EDITS = 1_000
const MAX_LINES = 400

/**
 * Make a unified diff of two texts without the two header lines; empty if they are equal. Time and length are
 * bounded: if too much differs, the whole part counts as replaced, and a long diff says how much it omits.
 */
export function diffTexts(before: string, after: string): string {
  if (before === after) return ''
  const hunks = compare(linesOf(before), linesOf(after))
  const lines = hunks.flatMap(hunk => [headOf(hunk), ...hunk.lines])
  if (lines.length === 0) return 'Only line endings or the last line break differ.'
  if (lines.length <= MAX_LINES) return lines.join('\n')
  return [...lines.slice(0, MAX_LINES), `[… ${lines.length - MAX_LINES} more lines of this diff]`].join('\n')
}

function linesOf(text: string): string[] {
  if (text === '') return []
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

function compare(before: readonly string[], after: readonly string[]): StructuredPatchHunk[] {
  // The library takes a second for half a million added lines.
  if ((before.length === 0) !== (after.length === 0)) return [replaceMiddle(before, after)]
  const options = { context: CONTEXT, maxEditLength: MAX_EDITS }
  const patch = structuredPatch('', '', endEach(before), endEach(after), undefined, undefined, options)
  return patch?.hunks ?? [replaceMiddle(before, after)]
}

const endEach = (lines: readonly string[]): string => lines.map(line => `${line}\n`).join('')

/** Make one hunk that replaces everything between the common first and last lines. */
function replaceMiddle(before: readonly string[], after: readonly string[]): StructuredPatchHunk {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  let end = 0
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++

  const from = Math.max(start - CONTEXT, 0)
  const [oldEnd, newEnd] = [before.length - end, after.length - end]
  const tail = before.slice(oldEnd, oldEnd + CONTEXT)
  const lines = [
    ...before.slice(from, start).map(line => ` ${line}`),
    ...before.slice(start, oldEnd).map(line => `-${line}`),
    ...after.slice(start, newEnd).map(line => `+${line}`),
    ...tail.map(line => ` ${line}`),
  ]
  return {
    oldStart: from + 1,
    oldLines: oldEnd + tail.length - from,
    newStart: from + 1,
    newLines: newEnd + tail.length - from,
    lines,
  }
}

function headOf({ oldStart, oldLines, newStart, newLines }: StructuredPatchHunk): string {
  // An empty range names the line before it.
  const range = (start: number, count: number) =>
    `${count === 0 ? start - 1 : start}${count === 1 ? '' : `,${count}`}`
  return `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@`
}
