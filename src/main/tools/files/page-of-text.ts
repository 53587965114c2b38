import type { ToolResult } from '../registry/tool.ts'

/** Maximum number of lines, and of characters, on one page. */
export const PAGE_LINES = 2_000
const PAGE_CHARACTERS = 256_000
/** Minimum number of characters left for the text if the heading is very long. */
const LEAST_CHARACTERS = 100

/**
 * The part of a text to read. `column` is the first character of the first line, `most` the maximum length of
 * the whole result in characters.
 */
export type PageWish = {
  offset: number
  limit: number
  column?: number
  most?: number
}

/**
 * Return a heading and then the lines, without numbers because small models copy numbers into patches. The
 * end says how to read on.
 */
export function pageOf(text: string, name: string, wish: PageWish): ToolResult {
  if (text === '') return { ok: true, text: `${name}, empty` }
  const { offset, limit, column = 1 } = wish
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  const first = lines[offset - 1]
  if (first === undefined)
    return { ok: false, reason: `${name} has ${lines.length} lines, so there is no line ${offset}.` }
  if (column > Math.max(1, first.length))
    return {
      ok: false,
      reason: `Line ${offset} of ${name} has ${first.length} characters, so there is no character ${column}.`,
    }
  const start = isLowSurrogate(first, column - 1) ? column - 2 : column - 1
  let room = roomFor(name, wish)
  const page: string[] = []
  let cut: { line: number; from: number; to: number } | undefined
  const wanted = lines.slice(offset - 1, offset - 1 + Math.min(limit, PAGE_LINES))
  for (const [index, line] of wanted.entries()) {
    const from = index === 0 ? start : 0
    const length = line.length - from
    if (length > room && index > 0) break
    if (length > room) {
      const to = boundaryBefore(line, from + room, from)
      cut = { line: offset, from, to }
      page.push(line.slice(from, to))
      break
    }
    page.push(line.slice(from))
    room -= length + 1
  }
  const last = offset - 1 + page.length
  const notes = [
    ...(cut ? [restNote(cut)] : []),
    ...(last < lines.length && !cut
      ? [`[more from line ${last + 1}: read again with offset ${last + 1}]`]
      : []),
  ]
  return { ok: true, text: [headingOf(), ...page, ...notes].join('\n') }

  function headingOf(): string {
    if (cut)
      return `${name}, line ${offset} of ${lines.length}, characters ${cut.from + 1}-${cut.to} of ${first!.length}`
    const inside = start > 0 ? `, line ${offset} from character ${start + 1} on` : ''
    return `${name}, lines ${offset}-${last} of ${lines.length}${inside}`
  }
}

/** How many characters are left for the text after the heading and the longest notes. */
function roomFor(name: string, { most = PAGE_CHARACTERS }: PageWish): number {
  return Math.max(LEAST_CHARACTERS, Math.min(most, PAGE_CHARACTERS) - name.length - 400)
}

/** The note that says how to read the rest of a line that is longer than a page. */
const restNote = ({ line, to }: { line: number; to: number }): string =>
  `[line ${line} goes on: read again with offset ${line} and column ${to + 1}]`

/** How many characters around a cut are searched for the edge of a visible character. */
const NEAR = 200
let segmenter: Intl.Segmenter | undefined

/** The nearest position before `at` and after `least` that splits no visible character, such as an emoji. */
function boundaryBefore(line: string, at: number, least: number): number {
  if (at >= line.length) return line.length
  const isPlain = (unit: number) => unit >= 32 && unit < 127
  if (isPlain(line.charCodeAt(at - 1)) && isPlain(line.charCodeAt(at))) return at
  let from = Math.max(least, at - NEAR)
  if (isLowSurrogate(line, from)) from -= 1
  // Flags are pairs of letters, so count from the first letter.
  while (from - 2 >= least && isFlagLetter(line, from) && isFlagLetter(line, from - 2)) from -= 2
  segmenter ??= new Intl.Segmenter()
  const near = segmenter.segment(line.slice(from, at + NEAR)).containing(at - from)
  const found = near ? from + near.index : at
  if (found > least && found > from) return found
  return isLowSurrogate(line, at) ? at - 1 : at
}

const isFlagLetter = (line: string, at: number) => {
  const code = line.codePointAt(at) ?? 0
  return code >= 0x1f1e6 && code <= 0x1f1ff
}

const isLowSurrogate = (line: string, at: number) =>
  at > 0 && /[\ud800-\udbff]/.test(line[at - 1]!) && /[\udc00-\udfff]/.test(line[at] ?? '')
