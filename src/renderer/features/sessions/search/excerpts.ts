/** A match of a search in a text: its start and end, in characters. */
export type Mark = readonly [number, number]

/** A piece of text, and whether it matches the search. */
export type Piece = { text: string; hit: boolean }

/** Maximum characters before the first mark, and in total. */
const LEAD = 40
const LENGTH = 220

/** Split a text at its marks. Marks may overlap, be unordered, or exceed the text. */
export function cutAtMarks(text: string, marks: readonly Mark[]): Piece[] {
  const pieces: Piece[] = []
  const push = (piece: string, hit: boolean) => piece !== '' && pieces.push({ text: piece, hit })
  let at = 0
  for (const [from, to] of marks.toSorted((a, b) => a[0] - b[0])) {
    const start = Math.max(at, from)
    if (to <= start || start >= text.length) continue
    push(text.slice(at, start), false)
    push(text.slice(start, to), true)
    at = Math.min(to, text.length)
  }
  push(text.slice(at), false)
  return pieces
}

/** A short single-paragraph excerpt around the first mark. */
export function excerptOf(text: string, marks: readonly Mark[]): Piece[] {
  const first = Math.min(...marks.map(([from]) => from), text.length)
  const wanted = marks.length === 0 || first <= LEAD ? 0 : first - LEAD
  // Start at a word boundary, if there is one before the mark.
  const space = wanted === 0 ? -1 : text.slice(wanted, first).search(/\s/u)
  const start = wanted + space + 1
  const end = Math.min(text.length, start + LENGTH)
  const shifted = marks.map(([from, to]): Mark => [from - start, Math.min(to, end) - start])
  const pieces = cutAtMarks(text.slice(start, end).toWellFormed(), shifted)
  const lines = pieces.map(({ text, hit }) => ({ text: text.replaceAll(/\s+/gu, ' '), hit }))
  if (start > 0) lines.unshift({ text: '… ', hit: false })
  if (end < text.length) lines.push({ text: ' …', hit: false })
  return lines
}
