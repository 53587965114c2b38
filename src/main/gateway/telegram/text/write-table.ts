import type { Tokens } from 'marked'
import { columnsOf } from '../../../lib/columns-of.ts'
import { nodesOf } from './read-markdown.ts'
import { joinTexts, plainText, styleText, type Block, type RichText } from './rich-text.ts'
import { writeInline } from './write-inline.ts'

/** Columns of a block of code that a phone held upright shows without breaking lines. */
const PHONE_COLUMNS = 36

/**
 * A table: drawn with its columns below each other where a phone has room for it and no cell has a link, else each row as
 * lines of names and values. A drawn one that is split has its head in each part.
 */
export function writeTable(table: Tokens.Table): Block[] {
  const head = table.header.map(cellOf)
  const rows = table.rows.map(row => row.map(cellOf))
  const drawn = drawTable([head, ...rows], table.align)
  if (drawn === undefined) return writeRows(head, rows)
  const [first = '', rule = '', ...lines] = drawn
  return [
    {
      rich: styleText(plainText([first, rule, ...lines].join('\n')), { type: 'pre' }),
      cut: 'lines',
      head: `${first}\n${rule}\n`,
    },
  ]
}

const cellOf = (cell: Tokens.TableCell): RichText => writeInline(nodesOf(cell.tokens))

/** The lines of a table, or undefined where it would lose something or is too wide. */
function drawTable(
  rows: readonly (readonly RichText[])[],
  sides: readonly (string | null)[],
): string[] | undefined {
  const cells = rows.flat()
  if (
    cells.some(
      ({ text, entities }) => text.includes('\n') || entities.some(({ type }) => type === 'text_link'),
    )
  )
    return undefined
  const widths = sides.map((_, column) => Math.max(1, ...rows.map(row => columnsOf(row[column]?.text ?? ''))))
  if (widths.reduce((sum, width) => sum + width + 3, -3) > PHONE_COLUMNS) return undefined
  const draw = (row: readonly RichText[]) =>
    widths
      .map((width, column) => padCell(row[column]?.text ?? '', width, sides[column]))
      .join(' │ ')
      .trimEnd()
  const [head = [], ...body] = rows
  return [draw(head), widths.map(width => '─'.repeat(width)).join('─┼─'), ...body.map(draw)]
}

function padCell(cell: string, width: number, side: string | null | undefined): string {
  const room = Math.max(0, width - columnsOf(cell))
  const before = side === 'right' ? room : side === 'center' ? room >> 1 : 0
  return ' '.repeat(before) + cell + ' '.repeat(room - before)
}

/** A block for each row: the first cell in bold, and below it the others, each behind the name of its column. */
function writeRows(head: readonly RichText[], rows: readonly (readonly RichText[])[]): Block[] {
  const names = head.map(({ text }) => text.replaceAll('\n', ' '))
  if (rows.length === 0) return [{ rich: joinTexts(head, ' │ '), cut: 'sentences' }]
  return rows.map(row => {
    const lines = row.flatMap((cell, column) => {
      const name = names[column] ?? ''
      const shown = column === 0 ? styleText(cell, { type: 'bold' }) : cell
      const label = name === '' || cell.text === '' ? '' : `${name}: `
      return cell.text === '' ? [] : [joinTexts([plainText(label), shown])]
    })
    return { rich: joinTexts(lines, '\n'), cut: 'lines' as const }
  })
}
