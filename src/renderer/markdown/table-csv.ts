/** A node of the tree that a table was rendered from. */
export type TableNode = {
  type?: string
  tagName?: string
  value?: string
  properties?: { tex?: unknown; raw?: unknown; alt?: unknown; checked?: unknown }
  children?: TableNode[]
}

/** The text of each cell of a table, row by row, with the head first. */
export function rowsOf(node: TableNode): string[][] {
  if (node.tagName === 'tr')
    return [(node.children ?? []).filter(cell => cell.tagName !== undefined).map(cell => textOf(cell).trim())]
  return (node.children ?? []).flatMap(rowsOf)
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

function textOf({ type, tagName, value, properties, children = [] }: TableNode): string {
  if (type === 'text') return value ?? ''
  if (tagName === 'br') return '\n'
  if (tagName === 'img') return textIn(properties?.alt)
  if (tagName === 'input') return properties?.checked === true ? '[x]' : '[ ]'
  if (properties?.raw !== undefined) return textIn(properties.raw)
  return children.map(textOf).join('')
}

/**
 * Rows as CSV (RFC 4180). A spreadsheet runs a cell that starts with `=`, `+`, `-` or `@` as a formula, so
 * such cells get an apostrophe; numbers are left unchanged.
 */
export const csvOf = (rows: readonly (readonly string[])[]): string =>
  rows.map(row => `${row.map(cell => quoted(harmless(cell))).join(',')}\r\n`).join('')

const FORMULA = /^[\s\p{Cf}]*[=+\-@＝＋－＠]/u
const NUMBER = /^[+-]?\d[\d.,\u00A0\u202F ]*%?$/

const harmless = (cell: string) => (FORMULA.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell)
const quoted = (cell: string) => (/[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
