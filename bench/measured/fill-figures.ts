import type { Records } from '../../evals/records.ts'

/** A text with its figures, and the figures that it names although its records do not have them. */
export type Filled = { text: string; problems: string[] }

/** A figure between two comments that GitHub does not show: `<!--=learning.right-->134<!--/-->`, with `%` for a share. */
const MARK = /<!--=([\w.-]+)\.(\w+)(%?)-->([^<]*)<!--\/-->/g

/** A figure as it is read: `1,582`; as a share `84.0 %`. Three digits are more than most clocks deserve. */
export function formatFigure(value: number, isShare = false): string {
  if (isShare) return `${value.toFixed(1)} %`
  const digits = Number.isInteger(value) || Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return value.toLocaleString('en-US', { maximumFractionDigits: digits })
}

/**
 * A text of a row with the figures of its record in place of `{anyWhole%}`; undefined where nothing is recorded yet. A figure that the
 * record does not have is a problem, and its place says so.
 */
export function fillRow(text: string, record: string, records: Records): Filled | undefined {
  const figures = records[record]?.figures
  if (!figures) return undefined
  const problems: string[] = []
  const filled = text.replaceAll(/\{(\w+)(%?)\}/g, (_all, name: string, share: string) => {
    const value = figures[name]
    if (value !== undefined) return formatFigure(value, share === '%')
    problems.push(`The record ${record} has no figure ${name}.`)
    return '(no figure)'
  })
  return { text: filled, problems }
}

/** A document whose marked figures are those of the records. A figure of a record that nobody has measured yet stays. */
export function fillMarks(document: string, records: Records): Filled {
  const problems: string[] = []
  const text = document.replaceAll(
    MARK,
    (mark, record: string, name: string, share: string, _shown: string, at: number) => {
      const before = document.slice(document.lastIndexOf('\n', at) + 1, at)
      if (before.trim() === '') problems.push(`A mark at the beginning of a line ends the paragraph: ${mark}`)
      if (before.split('`').length % 2 === 0) problems.push(`A mark within code is shown as it is: ${mark}`)
      const figures = records[record]?.figures
      if (!figures) return mark
      const value = figures[name]
      if (value !== undefined)
        return `<!--=${record}.${name}${share}-->${formatFigure(value, share === '%')}<!--/-->`
      problems.push(`The record ${record} has no figure ${name}, which a mark names.`)
      return mark
    },
  )
  const opened = document.split('<!--=').length
  const whole = [...document.matchAll(MARK)].length + 1
  if (opened !== whole) problems.push(`${opened - whole} marks are broken, or never end.`)
  return { text, problems }
}

/** The records that a document names in its marks. */
export const recordsNamedIn = (document: string): string[] => [
  ...new Set([...document.matchAll(MARK)].map(match => match[1]!)),
]
