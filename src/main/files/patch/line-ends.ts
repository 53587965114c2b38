import type { Adapted } from './passage.ts'

/** A text with only LF line ends, and the way back to its own ones. */
export type LineEnds = {
  plain: string
  /** Part of the plain text, with the original line ends. */
  slice(start: number, end: number): string
  /** Write new lines in place of a part, with the line ends of the lines that they come from. */
  write(adapted: Adapted, place: { start: number; end: number }): string
}

/** Open a text that may mix LF and CRLF. */
export function openLineEnds(text: string): LineEnds {
  if (!text.includes('\r\n'))
    return {
      plain: text,
      slice: (start, end) => text.slice(start, end),
      write: ({ lines }) => lines.join('\n'),
    }
  const plain = text.replaceAll('\r\n', '\n')
  const returns = returnsOf(text)
  const breaks = plain.split('\n').length - 1
  const usual = returns.length * 2 > breaks ? '\r\n' : '\n'
  const isUniform = returns.length === breaks
  const at = (place: number) => place + countBelow(returns, place)
  return {
    plain,
    slice: (start, end) => text.slice(at(start), at(end)),
    write({ lines, from }, { start, end }) {
      if (isUniform) return lines.join('\r\n')
      const ends = [...text.slice(at(start), at(end)).matchAll(/\r?\n/g)].map(([each]) => each)
      let last = ends[0] ?? usual
      return lines
        .map((line, index) => {
          if (index === lines.length - 1) return line
          last = ends[from[index] ?? -1] ?? last
          return line + last
        })
        .join('')
    },
  }
}

/** Positions in the plain text of the line breaks that were CRLF. */
function returnsOf(text: string): number[] {
  const returns: number[] = []
  for (let at = text.indexOf('\r\n'); at !== -1; at = text.indexOf('\r\n', at + 2))
    returns.push(at - returns.length)
  return returns
}

/** Count the sorted numbers below a limit. */
function countBelow(sorted: readonly number[], limit: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]! < limit) low = middle + 1
    else high = middle
  }
  return low
}
