export type Mark = readonly [number, number]

/** A piece of text, and whether it is what was looked for. */
export type Piece = { text: string; hit: boolean }

/** Characters before the first mark, and altogether. */
const LEAD = 40
const LENGTH = 220

/** Cut a text at its marks. Marks may overlap, be out of order, or lie outside of the text. */
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

/** The part of a text around its first mark, short enough for a few narrow lines, in one paragraph. */
export function excerpt(text: string, marks: readonly Mark[]): Piece[] {
  const first = Math.min(...marks.map(([from]) => from), text.length)
  const wanted = marks.length === 0 || first <= LEAD ? 0 : first - LEAD
  // From the beginning of a word, if one begins before the mark.
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
