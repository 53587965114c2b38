import { cellsOf, isDelimiters } from './line.ts'

const FENCE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)]) +)*(?:`{3}|~{3})/
/** Code in a line, or an escaped sign. */
const CODE = /\\.|(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g
const PIPE = /(?<!\\)\|/g

/**
 * Keep what a row of a table has more than its head: Markdown drops it. Mostly a `|` in code was meant as a letter,
 * else the rest belongs to the last cell.
 */
export function mendTables(text: string): string {
  if (!text.includes('|') || !/-/.test(text)) return text
  const lines = text.split('\n')
  let columns = 0
  let isCode = false
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!
    if (FENCE.test(line)) isCode = !isCode
    if (isCode || line.trim() === '') columns = 0
    else if (columns > 0) lines[at] = withColumns(line, columns)
    else if (
      at > 0 &&
      isDelimiters(line.replace(/^[ \t>]+/, '')) &&
      cellsOf(line) === cellsOf(lines[at - 1]!)
    )
      columns = cellsOf(line)
  }
  return lines.join('\n')
}

function withColumns(row: string, columns: number): string {
  if (cellsOf(row) <= columns) return row
  const mended = row.replaceAll(CODE, code => (code.startsWith('`') ? code.replaceAll(PIPE, '\\|') : code))
  if (cellsOf(mended) <= columns) return mended
  // The pipe before the first cell and those between the cells stay.
  let left = columns - 1 + (/^[ \t>]*\|/.test(mended) ? 1 : 0)
  const body = mended.replace(/(?<!\\)\|[ \t]*$/, '')
  return body.replaceAll(PIPE, pipe => (left-- > 0 ? pipe : '\\|'))
}
