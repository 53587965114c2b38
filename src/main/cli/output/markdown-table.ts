import { columnsOf } from '../../lib/columns-of.ts'
import { paintText, styleSpans } from './markdown-spans.ts'

/**
 * Maximum length of a table. A longer one is drawn up to here, its other rows as written, so that no table
 * holds up the answer.
 */
const LONGEST_TABLE = 20_000
const ROW = /^ {0,3}\|/
/** An incomplete line that may become a row, or the line between the head and the rows. */
const HALF_ROW = /^ {0,3}(?:\||$)/
const HALF_DELIMITERS = /^[ \t|:-]*$/
const DELIMITERS = /^ {0,3}\|[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/
/** An escaped character or a pipe; `PARTS` also matches code. */
const PIPES = /\\.|\|/gu
const PARTS = /(?<!(?<!\\)`)(`+)(?!`)[^\n]*?[^`]\1(?!`)|\\.|\|/gu

const CODE_OR_BREAK = /(?<!(?<!\\)`)(`+)(?!`)[^\n]*?[^`]\1(?!`)|<br ?\/?>/giu

/** The lines of a cell: only `<br>` can break one, and in code it is text. */
function linesOf(cell: string): string[] {
  const lines: string[] = []
  let from = 0
  for (const { 0: part, index } of cell.matchAll(CODE_OR_BREAK)) {
    if (part.startsWith('`')) continue
    lines.push(cell.slice(from, index).trim())
    from = index + part.length
  }
  return [...lines, cell.slice(from).trim()]
}

/**
 * Look for a table at the start of a text. Returns its length, `none`, or `unknown` while that is undecided.
 */
export function findTable(held: string, isLast: boolean): number | 'none' | 'unknown' {
  if (!HALF_ROW.test(held.slice(0, 4))) return 'none'
  const begin = held.slice(0, LONGEST_TABLE)
  const isOpen = !isLast && begin.length === held.length
  const more = isOpen ? 'unknown' : 'none'
  const first = begin.indexOf('\n')
  if (!ROW.test(begin)) return first < 0 && begin.trim() === '' ? more : 'none'
  if (first < 0) return more
  const second = begin.indexOf('\n', first + 1)
  const delimiters = begin.slice(first + 1, second < 0 ? undefined : second)
  if (second < 0 && isOpen) return HALF_DELIMITERS.test(delimiters) ? 'unknown' : 'none'
  if (!DELIMITERS.test(delimiters) || cellsOf(delimiters).length !== cellsOf(begin.slice(0, first)).length)
    return 'none'
  let end = second < 0 ? begin.length : second + 1
  while (end < begin.length) {
    const next = begin.indexOf('\n', end)
    const line = begin.slice(end, next < 0 ? undefined : next)
    if (next < 0 && isOpen) return HALF_ROW.test(line.slice(0, 4)) ? 'unknown' : end
    // A line cut off at the maximum length is incomplete.
    if (!ROW.test(line) || (next < 0 && !isLast)) return end
    end = next < 0 ? begin.length : next + 1
  }
  return isOpen ? 'unknown' : end
}

/** The cells of a row. If there are more than `most`, a pipe in code does not separate cells. */
function cellsOf(row: string, most = Infinity): string[] {
  const cells = splitRow(row, PIPES)
  const isMended = cells.length > most
  return (isMended ? splitRow(row, PARTS) : cells).map(cell => cell.trim().replaceAll('\\|', '|'))
}

function splitRow(row: string, parts: RegExp): string[] {
  const cells: string[] = []
  const line = row.trim().replace(/^\|/, '')
  let from = 0
  for (const part of line.matchAll(parts)) {
    if (part[0] !== '|') continue
    cells.push(line.slice(from, part.index))
    from = part.index + 1
  }
  if (line.slice(from).trim() !== '') cells.push(line.slice(from))
  return cells
}

/** Draw a table with aligned columns; as it was written if the terminal is too narrow. */
export function drawTable(source: string, columns: number): string {
  const lines = source.replace(/\n$/, '').split('\n')
  const most = cellsOf(lines[1] ?? '').length
  const rows = lines.filter((_, at) => at !== 1).map(row => cellsOf(row, most))
  const sides = cellsOf(lines[1] ?? '').map(mark => ({
    start: mark.startsWith(':'),
    end: mark.endsWith(':'),
  }))
  const shown = rows.map((row, at) =>
    row.map(cell => linesOf(cell).map(line => styleSpans(line, at === 0 ? ['bold'] : []))),
  )
  const widths = Array.from({ length: Math.max(...rows.map(row => row.length)) }, (_, at) =>
    Math.max(3, ...shown.flatMap(row => (row[at] ?? []).map(columnsOf))),
  )
  const end = source.endsWith('\n') ? '\n' : ''
  if (widths.reduce((sum, width) => sum + width + 3, 1) > columns)
    return lines.map((line, at) => styleSpans(line, at === 0 ? ['bold'] : [])).join('\n') + end
  const edge = paintText('│', ['dim'])
  const drawLine = (row: readonly (readonly string[])[], line: number) =>
    `${edge} ${widths.map((width, at) => padCell(row[at]?.[line] ?? '', width, sides[at])).join(` ${edge} `)} ${edge}`
  const draw = (row: readonly (readonly string[])[]) =>
    Array.from({ length: Math.max(1, ...row.map(cell => cell.length)) }, (_, line) =>
      drawLine(row, line),
    ).join('\n')
  const rule = paintText(`├${widths.map(width => '─'.repeat(width + 2)).join('┼')}┤`, ['dim'])
  const [head = [], ...body] = shown
  return [draw(head), rule, ...body.map(draw)].join('\n') + end
}

function padCell(cell: string, width: number, side?: { start: boolean; end: boolean }): string {
  const room = Math.max(0, width - columnsOf(cell))
  const before = side?.end ? (side.start ? room >> 1 : room) : 0
  return ' '.repeat(before) + cell + ' '.repeat(room - before)
}
