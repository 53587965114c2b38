import { matchRanges } from './count-matches.ts'
import type { SearchTerm } from './query.ts'

/** Part of a text with its matches, as from and to. */
export type Excerpt = { text: string; marks: [number, number][] }

/** Characters of a long text to search; later matches are shown with its beginning. */
const LOOKED_THROUGH = 50_000
/** Share of the excerpt before the first match. */
const LEAD = 0.25

/** The part of a text around its first match, at most `room` characters and two ellipses; line breaks become spaces. */
export function excerpt(text: string, wanted: readonly SearchTerm[], room: number): Excerpt {
  // A line break and a space have the same length, so the ranges stay correct.
  const line = text.slice(0, LOOKED_THROUGH).replace(/\s/g, ' ')
  const marks = matchRanges(line, wanted)
  if (text.length <= room) return { text: line, marks }
  const first = marks[0]?.[0] ?? 0
  let from = Math.max(0, Math.min(first - Math.floor(room * LEAD), text.length - room))
  // Start at a whole word if one is near.
  const space = line.indexOf(' ', from)
  if (from > 0 && space >= 0 && space < first && space - from < 30) from = space + 1
  const to = Math.min(line.length, from + room)
  const before = from > 0 ? '…' : ''
  const part = line.slice(from, to).toWellFormed()
  const shift = before.length - from
  const inside = marks.filter(mark => mark[0] >= from && mark[1] <= to)
  return {
    text: `${before}${part}${to < text.length ? '…' : ''}`,
    marks: inside.map(([start, end]) => [start + shift, end + shift]),
  }
}
