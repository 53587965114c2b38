import { marksIn } from './count.ts'
import type { Wanted } from './query.ts'

/** A part of a text with the stretches in it that were looked for, from and to. */
export type Excerpt = { text: string; marks: [number, number][] }

/** Of a long text only so much is looked through; what is found later is shown from its beginning. */
const LOOKED_THROUGH = 50_000
/** So much of the room lies before the first mark. */
const LEAD = 0.25

/** The part of a text around what was looked for, at most `room` letters and two ellipses; line breaks become spaces. */
export function excerpt(text: string, wanted: readonly Wanted[], room: number): Excerpt {
  // A line break and a space are equally long, so marks stay where they are.
  const line = text.slice(0, LOOKED_THROUGH).replace(/\s/g, ' ')
  const marks = marksIn(line, wanted)
  if (text.length <= room) return { text: line, marks }
  const first = marks[0]?.[0] ?? 0
  let from = Math.max(0, Math.min(first - Math.floor(room * LEAD), text.length - room))
  // Begin with a whole word where one is near.
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
