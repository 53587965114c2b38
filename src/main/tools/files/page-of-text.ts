import type { ToolResult } from '../registry/tool.ts'

/** The most lines, and characters, of one page. */
export const PAGE_LINES = 2_000
const PAGE_CHARACTERS = 256_000
/** What is left for the text when a heading is very long. */
const LEAST_CHARACTERS = 100

/**
 * What part of a text is read. `column` is the first character in the first line, `most` the characters that the whole result may
 * have.
 */
export type PageWish = {
  offset: number
  limit: number
  column?: number
  most?: number
}

/** A heading, then the lines without numbers, because small models copy numbers into patches. At the end it says how to go on. */
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

/** The characters for the text itself, beside a heading and the longest notes. */
function roomFor(name: string, { most = PAGE_CHARACTERS }: PageWish): number {
  return Math.max(LEAST_CHARACTERS, Math.min(most, PAGE_CHARACTERS) - name.length - 400)
}

/** How to come to what follows in a line that is longer than a page. */
const restNote = ({ line, to }: { line: number; to: number }): string =>
  `[line ${line} goes on: read again with offset ${line} and column ${to + 1}]`

/** Characters around a cut that are read to find where one ends; one that is longer may be cut. */
const NEAR = 200
let segmenter: Intl.Segmenter | undefined

/** The nearest place before `at`, but behind `least`, where no character is cut, not even an emoji of several parts. */
function boundaryBefore(line: string, at: number, least: number): number {
  if (at >= line.length) return line.length
  const isPlain = (unit: number) => unit >= 32 && unit < 127
  if (isPlain(line.charCodeAt(at - 1)) && isPlain(line.charCodeAt(at))) return at
  let from = Math.max(least, at - NEAR)
  if (isLowSurrogate(line, from)) from -= 1
  // Flags are pairs of letters, so they are counted from the first one.
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
