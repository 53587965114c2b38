import { byCount, many } from '../../../shared/text/amounts.ts'
import { nameNumbers, writeTable } from '../text-flow.ts'

/** A sheet of a workbook. Rows and columns are counted from 0; rows without values are left out. */
export type Sheet = {
  name: string
  isHidden: boolean
  rows: { at: number; cells: string[] }[]
  merged: string[]
  hiddenRows: number[]
  hiddenColumns: number[]
  comments: string[]
}

/** Maximum number of columns to read. */
export const MOST_COLUMNS = 1_000

const MOST_NAMED = 30

/** Write a sheet as a table with column letters and row numbers, and say what is hidden or merged. */
export function sheetText(sheet: Sheet): string {
  const { rows, merged, hiddenRows, hiddenColumns, comments } = sheet
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0)
  const last = rows.at(-1)
  const range = last === undefined ? 'empty' : `A1:${columnName(width - 1)}${last.at + 1}`
  const notes = [
    ...(merged.length > 0
      ? [
          `Merged: ${merged.slice(0, MOST_NAMED).join(', ')}${merged.length > MOST_NAMED ? `, and ${merged.length - MOST_NAMED} more` : ''}`,
        ]
      : []),
    ...(hiddenRows.length > 0
      ? [
          `Hidden: ${nameNumbers(
            hiddenRows.map(each => each + 1),
            'row',
            'rows',
          )} (shown here)`,
        ]
      : []),
    ...(hiddenColumns.length > 0
      ? [
          `Hidden: ${byWord(hiddenColumns.length)} ${hiddenColumns.slice(0, MOST_NAMED).map(columnName).join(', ')} (shown here)`,
        ]
      : []),
  ]
  const heading = `Sheet ${sheet.name}${sheet.isHidden ? ' (hidden)' : ''}, ${range}`
  const table = [
    ['', ...Array.from({ length: width }, (_, at) => columnName(at))],
    ...rows.map(({ at, cells }) => [String(at + 1), ...cells]),
  ]
  return [
    [heading, ...notes].join('\n'),
    ...(rows.length > 0 ? [writeTable(table).join('\n')] : []),
    ...(comments.length > 0 ? [`${many(comments.length, 'comment')}:\n${comments.join('\n')}`] : []),
  ].join('\n\n')
}

const byWord = (count: number) => byCount(count, 'column', 'columns')

/** The problem of a sheet with values beyond the columns that are read. */
export const sayTooWide = (sheet: string): string =>
  `The sheet ${sheet} is very wide: what stands right of column ${columnName(MOST_COLUMNS - 1)} is left out.`

/** The letters of a column: A, B, …, Z, AA. */
export function columnName(at: number): string {
  let name = ''
  for (let rest = at + 1; rest > 0; rest = Math.floor((rest - 1) / 26))
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name
  return name
}

/** The position of a cell such as `B7`, counted from 0; undefined if the name is invalid. */
export function placeOf(cell: string): { row: number; column: number } | undefined {
  const match = /^\$?([A-Z]{1,3})\$?(\d{1,7})$/.exec(cell)
  if (!match) return undefined
  const column = Array.from(match[1]!).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
  return { column, row: Number(match[2]) - 1 }
}
