import type { Tokens } from 'marked'
import { columnsOf } from '../../../lib/columns-of.ts'
import { nodesOf } from './read-markdown.ts'
import { joinTexts, plainText, styleText, type Block, type RichText } from './rich-text.ts'
import { writeInline } from './write-inline.ts'

/** How many columns of a code block a phone held upright shows without wrapping. */
const PHONE_COLUMNS = 36

/**
 * Write a table: aligned as code if a phone has room for it and no cell has a link, else each row as lines of
 * names and values. If an aligned table is split, each part has its head.
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

/** Draw the lines of a table; undefined if it would lose something or is too wide. */
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

/** Write a block for each row: the first cell in bold, then the others, each after its column's name. */
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
