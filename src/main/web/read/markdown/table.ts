import { isElement, nameOf, type PageElement } from '../dom.ts'
import { countOf } from './element-kinds.ts'

/** A cell, and how many columns and rows it spans. */
type Cell = { element: PageElement; isHead: boolean; columns: number; rows: number }

const MOST_COLUMNS = 60
/** Maximum length of a cell; longer ones become page text, because tables were once used for layout. */
const LONG_CELL = 900

/** The table's own rows, those of its head first. */
export function rowsOf(table: PageElement): { row: PageElement; isHead: boolean }[] {
  const head: PageElement[] = []
  const body: PageElement[] = []
  for (const child of table.children) {
    const name = nameOf(child)
    if (name === 'tr') body.push(child)
    else if (name === 'thead' || name === 'tbody' || name === 'tfoot')
      for (const row of child.children) if (nameOf(row) === 'tr') (name === 'thead' ? head : body).push(row)
  }
  return [...head.map(row => ({ row, isHead: true })), ...body.map(row => ({ row, isHead: false }))]
}

/** The cells of a row. */
export const cellsOf = (row: PageElement): PageElement[] =>
  [...row.childNodes].filter(isElement).filter(cell => nameOf(cell) === 'td' || nameOf(cell) === 'th')

/** Whether a table contains data and is not only for layout. */
export function isDataTable(table: PageElement): boolean {
  const role = table.getAttribute('role')
  if (role === 'presentation' || role === 'none') return false
  const rows = rowsOf(table)
  const cells = rows.flatMap(({ row }) => cellsOf(row))
  const columns = Math.max(0, ...rows.map(({ row }) => cellsOf(row).length))
  if (cells.length === 0) return false
  const longest = Math.max(...cells.map(cell => (cell.textContent ?? '').length))
  const nested = table.querySelector('table') !== null
  const isMarked =
    table.querySelector('caption') !== null ||
    rows.some(({ isHead }) => isHead) ||
    cells.some(cell => nameOf(cell) === 'th') ||
    role === 'table' ||
    role === 'grid'
  if (nested) return isMarked && longest < LONG_CELL && columns > 1
  if (columns < 2 || rows.length < 2) return isMarked && cells.length > 1 && longest < LONG_CELL
  if (isMarked) return longest < 20 * LONG_CELL
  const hasParts = table.querySelector('h1, h2, h3, h4, article, section, form, pre') !== null
  return longest < LONG_CELL && !hasParts
}

/** Write a table as Markdown. Cells that span rows or columns are repeated, except wide cells of the body. */
export function writeTable(table: PageElement, sayCell: (cell: PageElement) => string): string {
  const grid: string[][] = []
  const heads: boolean[] = []
  const open: ({ text: string; left: number } | undefined)[] = []
  for (const { row, isHead } of rowsOf(table)) {
    const cells = cellsOf(row).map((element): Cell => ({
      element,
      isHead: nameOf(element) === 'th',
      columns: countOf(element, 'colspan', MOST_COLUMNS),
      rows: countOf(element, 'rowspan', 1_000),
    }))
    const line: string[] = []
    const takeOpen = () => {
      for (let above = open[line.length]; above !== undefined; above = open[line.length]) {
        const at = line.length
        line.push(above.text)
        if (--above.left === 0) open[at] = undefined
      }
    }
    for (const cell of cells) {
      takeOpen()
      const text = sayCell(cell.element)
      for (let at = 0; at < cell.columns && line.length < MOST_COLUMNS; at++) {
        const said = at === 0 || cell.isHead ? text : ''
        if (cell.rows > 1) open[line.length] = { text: said, left: cell.rows - 1 }
        line.push(said)
      }
    }
    takeOpen()
    if (line.every(each => each === '')) continue
    grid.push(line)
    heads.push(isHead || (cells.length > 0 && cells.every(each => each.isHead)))
  }
  const caption = [...table.children].find(child => nameOf(child) === 'caption')
  const title = caption ? sayCell(caption) : ''
  return [title, writeGrid(grid, heads)].filter(Boolean).join('\n\n')
}

function writeGrid(grid: string[][], heads: boolean[]): string {
  const width = Math.max(0, ...grid.map(line => line.length))
  if (width === 0) return ''
  const firstBody = heads.findIndex(isHead => !isHead)
  const headCount = firstBody === -1 ? 1 : firstBody
  const head = Array.from({ length: width }, (_, at) =>
    [...new Set(grid.slice(0, headCount).map(line => line[at] ?? ''))].filter(Boolean).join(' / '),
  )
  const say = (line: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, at) => line[at] ?? '').join(' | ')} |`
  return [say(head), `|${' --- |'.repeat(width)}`, ...grid.slice(headCount).map(say)].join('\n')
}
