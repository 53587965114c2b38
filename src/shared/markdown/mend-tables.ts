import { cellsOf, isDelimiters, itemOf, readLine, type Line } from './read-line.ts'

const FENCE = /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)]) +)*(?:`{3}|~{3})/
/** Inline code, or an escaped character. */
const CODE = /\\.|(?<!(?<!\\)`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g
const PIPE = /(?<!\\)\|/g
const QUOTE = /^[ \t]*>/
/** A heading, which ends a table or a list without a blank line. */
const HEADING = /^#{1,6}(?:[ \t]|$)/

/**
 * Keep the surplus cells of a table row, which Markdown drops. Mostly a `|` in code was meant literally;
 * otherwise the rest belongs to the last cell. A table right below a list item or a quote, which Markdown
 * reads as more of its text, gets a blank line before it. Below an item, the table becomes part of the item,
 * so that the numbering of the list continues.
 */
export function mendTables(text: string): string {
  if (!text.includes('|') || !/-/.test(text)) return text
  const lines = text.split('\n')
  const mended: string[] = []
  const above = createAbove()
  let columns = 0
  let pad = ''
  let isCode = false
  for (const [at, source] of lines.entries()) {
    const line = readLine(source.replace(/^[ \t>]+/, ''))
    const isFence = FENCE.test(source)
    if (isFence) isCode = !isCode
    if (isFence || isCode || line.text === '' || HEADING.test(line.text) || itemOf(line)) columns = 0
    if (columns > 0) {
      mended.push(pad + withColumns(source, columns))
      continue
    }
    const head = lines[at - 1]
    if (!isCode && head !== undefined && isDelimiters(line.text) && cellsOf(source) === cellsOf(head)) {
      columns = cellsOf(source)
      const room = above.roomFor(head)
      pad = ' '.repeat(room ?? 0)
      if (room !== undefined) mended.splice(-1, 1, '', pad + head)
    } else {
      pad = ''
      if (!isCode) above.add(source)
    }
    mended.push(pad + source)
  }
  return mended.join('\n')
}

/**
 * Track the list items and quotes above that a following line still belongs to, even without their indent.
 */
function createAbove() {
  let outer = 0
  let inner = 0
  let isQuote = false
  let isBlank = true

  function addLine(line: Line): void {
    const item = itemOf(line)
    if (item) {
      if (line.indent < outer || outer === 0) outer = item.indent
      inner = item.indent
    } else if (isBlank && line.indent < inner) {
      // The line ends the lists that it is not indented for.
      inner = line.indent < outer ? 0 : outer
      if (inner === 0) outer = 0
    }
  }

  return {
    add(source: string): void {
      const line = readLine(source)
      if (line.text === '' || HEADING.test(line.text)) isQuote = false
      else if (QUOTE.test(source)) isQuote = true
      else addLine(line)
      if (isQuote) outer = inner = 0
      isBlank = line.text === ''
    },
    /** The indent that a table with this head needs to be read as a table; undefined if it needs none. */
    roomFor(head: string): number | undefined {
      const line = readLine(head)
      if (isBlank || itemOf(line) || QUOTE.test(head)) return undefined
      if (isQuote) return 0
      return line.indent < inner ? Math.max(0, outer - line.indent) : undefined
    },
  }
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
