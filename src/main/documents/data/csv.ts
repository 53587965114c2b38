import { writeTable } from '../text-flow.ts'
import { MOST_CHARACTERS, type Reader } from '../document.ts'
import { many } from '../../../shared/text/amounts.ts'

const SEPARATORS = [',', ';', '\t', '|'] as const
/** How many rows to examine for the separator. */
const SAMPLE_ROWS = 30

/** The rows of a table. `isOpen`: a quote is never closed, so the rest of the file is a single value. */
type Table = { separator: string; rows: string[][]; isOpen: boolean }

/** Split a table into rows of text, and find its separator; undefined if it is not a table. */
export function csvRows(given: string): Table | undefined {
  // Old Mac programs end lines with only a carriage return.
  const text = given.includes('\n') ? given : given.replaceAll('\r', '\n')
  const said = /^sep=(.)\r?\n/.exec(text)
  if (said) return { separator: said[1]!, ...parse(text.slice(said[0].length), said[1]!) }
  const sample = text.split('\n', SAMPLE_ROWS * 3).join('\n')
  const guesses = SEPARATORS.map(separator => {
    const counts = parse(sample, separator)
      .rows.slice(0, SAMPLE_ROWS)
      .map(row => row.length)
    const usual = counts.toSorted((a, b) => a - b)[Math.floor(counts.length / 2)] ?? 0
    const fitting = counts.filter(count => count === usual).length
    return { separator, usual, share: fitting / Math.max(1, counts.length) }
  }).filter(({ usual }) => usual > 1)
  const best = guesses.toSorted(
    (a, b) =>
      b.share - a.share || Number(b.separator !== ',') - Number(a.separator !== ',') || b.usual - a.usual,
  )[0]
  return best && { separator: best.separator, ...parse(text, best.separator) }
}

/** Parse rows. Values may be in quotes, which may contain doubled quotes and line ends. */
function parse(text: string, separator: string): Omit<Table, 'separator'> {
  const rows: string[][] = []
  let isOpen = false
  let row: string[] = []
  let at = 0
  while (at < text.length) {
    let value: string
    if (text[at] === '"') {
      let end = at + 1
      for (; end < text.length; end++)
        if (text[end] === '"') {
          if (text[end + 1] !== '"') break
          end++
        }
      isOpen ||= end === text.length
      value = text.slice(at + 1, end).replaceAll('""', '"')
      at = end + 1
      const rest = endOf(text, separator, at)
      value += text.slice(at, rest)
      at = rest
    } else {
      const end = endOf(text, separator, at)
      value = text.slice(at, end)
      at = end
    }
    const isLast = text[at] !== separator
    row.push(isLast ? value.replace(/\r$/, '') : value)
    if (isLast) {
      if (row.some(each => each !== '')) rows.push(row)
      row = []
    } else if (at + 1 >= text.length) row.push('')
    at++
  }
  if (row.some(each => each !== '')) rows.push(row)
  return { rows, isOpen }
}

function endOf(text: string, separator: string, from: number): number {
  for (let at = from; at < text.length; at++) if (text[at] === separator || text[at] === '\n') return at
  return text.length
}

const NAMES: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  '|': 'bars',
}

/** Read a table with commas, semicolons, tabs or bars between values. */
export const readCsv: Reader = ({ text }) => {
  const whole = text?.text ?? ''
  const table = csvRows(whole)
  if (!table) return { pages: [whole], problems: [], kind: 'text' }
  const { separator, rows, isOpen } = table
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 0)
  const isDecimalComma =
    separator !== ',' &&
    rows.some(row => row.some(value => /^-?\d+,\d+$/.test(value.trim()))) &&
    !rows.some(row => row.some(value => /^-?\d+\.\d{1,2}$/.test(value.trim())))
  const parts = `${many(rows.length, 'row')} of ${many(columns, 'column')}, parted by ${NAMES[separator] ?? `“${separator}”`}`
  const heading = `Table: ${parts}${isDecimalComma ? '; numbers have a decimal comma' : ''}`
  const uneven = rows.filter(row => row.length !== rows[0]!.length).length
  // A Markdown table would exceed the maximum length.
  const lines = whole.length * 2 > MOST_CHARACTERS ? rows.map(row => row.join('\t')) : writeTable(rows)
  return {
    pages: [[heading, '', ...lines].join('\n')],
    problems: [
      ...(isOpen ? ['A quote in it is never closed, so all that follows is one value.'] : []),
      ...(uneven > 0
        ? [`${many(uneven, 'row has', 'rows have')} another number of values than the first one.`]
        : []),
    ],
  }
}
