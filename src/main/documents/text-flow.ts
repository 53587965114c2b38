type Table = { rows: string[][]; row: string[] | undefined; before: Block; isNested: boolean }
type Block = { lines: string[]; line: string; gap: boolean }

/** Maximum number of cells in a row; further ones are meaningless. */
const MOST_COLUMNS = 500

/**
 * Collect the text of a document: paragraphs separated by blank lines, and Markdown tables. A layout table
 * (with one column, or other tables inside) becomes paragraphs.
 */
export function createFlow() {
  const tables: Table[] = []
  let block: Block = { lines: [], line: '', gap: false }
  // The last character of the line. Finding it in a long line each time would take too long.
  let last = ''

  const endLine = () => {
    const line = block.line.trimEnd()
    block.line = ''
    if (line.trim() === '') return
    if (block.gap && block.lines.length > 0) block.lines.push('')
    block.gap = false
    block.lines.push(line)
  }
  const endBlock = () => {
    endLine()
    block.gap = true
  }
  const endCell = (span = 1) => {
    const table = tables.at(-1)
    if (table?.row === undefined) return
    endBlock()
    table.row.push(block.lines.filter(line => line !== '').join('\n'))
    for (let more = 1; more < Math.min(span, MOST_COLUMNS) && table.row.length < MOST_COLUMNS; more++)
      table.row.push('')
    block = { lines: [], line: '', gap: false }
  }

  return {
    add(text: string) {
      block.line += text
      last = text.at(-1) ?? last
    },
    endLine,
    endBlock,
    /** End the last word of the current line, if there is one. */
    space: () => {
      if (block.line !== '' && !/\s/.test(last)) {
        block.line += ' '
        last = ' '
      }
    },
    /** Separate the current block from the previous one. */
    setApart: () => void (block.gap = true),
    /** Whether a space here would have no effect. */
    isAtStart: () => block.line === '' || /\s/.test(last),
    startTable() {
      endBlock()
      const outer = tables.at(-1)
      if (outer) outer.isNested = true
      tables.push({ rows: [], row: undefined, before: block, isNested: false })
      block = { lines: [], line: '', gap: false }
    },
    startRow() {
      const table = tables.at(-1)
      if (!table) return
      // Text in a table outside its rows, such as a title, goes before the table.
      endBlock()
      const { before } = table
      if (before.lines.length > 0 && block.lines.length > 0) before.lines.push('')
      for (const line of block.lines) before.lines.push(line)
      table.row = []
      block = { lines: [], line: '', gap: false }
    },
    endCell,
    endRow() {
      const table = tables.at(-1)
      if (table?.row === undefined) return
      if (block.line.trim() !== '' || block.lines.length > 0) endCell()
      if (table.row.some(cell => cell !== '')) table.rows.push(table.row)
      table.row = undefined
    },
    endTable() {
      const table = tables.pop()
      if (!table) return
      endBlock()
      const left = block.lines
      block = table.before
      const isLayout = table.isNested || table.rows.every(row => row.length < 2)
      const written = isLayout ? table.rows.flat().filter(cell => cell !== '') : writeTable(table.rows)
      if (block.lines.length > 0 && written.length > 0) block.lines.push('')
      for (const line of written) block.lines.push(line)
      for (const line of left) block.lines.push(line)
      block.gap = true
    },
    depth: () => tables.length,
    /** Close all open blocks, and return the text. */
    finish(): string {
      while (tables.length > 0) {
        this.endRow()
        this.endTable()
      }
      endBlock()
      return block.lines.join('\n')
    },
  }
}
export type Flow = ReturnType<typeof createFlow>

/** In wider tables each row ends after its last value, so that one far cell does not make every row long. */
const WIDE = 50

/** Write rows as a Markdown table, the first one as its heading. Empty columns at the right are left out. */
export function writeTable(rows: readonly (readonly string[])[]): string[] {
  const lastOf = (row: readonly string[]) => row.findLastIndex(cell => cell !== '')
  const width = rows.reduce((most, row) => Math.max(most, lastOf(row)), 0)
  const line = (cells: readonly string[]) => {
    const length = (width > WIDE ? Math.max(0, lastOf(cells)) : width) + 1
    return `| ${Array.from({ length }, (_, at) => writeCell(cells[at] ?? '')).join(' | ')} |`
  }
  return rows.flatMap((row, at) => (at === 0 ? [line(row), `|${' --- |'.repeat(width + 1)}`] : [line(row)]))
}

const writeCell = (text: string) =>
  text
    .replaceAll('|', String.raw`\|`)
    .replaceAll(/(?<!\s)\s*\n\s*/g, ' / ')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** Name numbers with short ranges: `Pages 1-3 and 7`. Of many numbers, name only the first ones. */
export function nameNumbers(numbers: readonly number[], one: string, several: string): string {
  if (numbers.length === 1) return `${one} ${numbers[0]}`
  const runs: { from: number; to: number }[] = []
  for (const number of numbers) {
    const last = runs.at(-1)
    if (last && number === last.to + 1) last.to = number
    else runs.push({ from: number, to: number })
  }
  const shown = runs.slice(0, MOST_RUNS).map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`))
  const rest = runs.length > MOST_RUNS ? ['others'] : []
  const words = [...shown, ...rest]
  const end = words.length > 1 ? ` and ${words.at(-1)}` : ''
  return `${several} ${(end === '' ? words : words.slice(0, -1)).join(', ')}${end}`
}

const MOST_RUNS = 12
