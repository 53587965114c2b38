import type { Records } from '../../evals/records.ts'

/** A text with its figures filled in, and problems with figures that its records do not have. */
export type Filled = { text: string; problems: string[] }

/**
 * A figure between two comments, which GitHub hides: `<!--=learning.right-->134<!--/-->`, with `%` for a
 * share.
 */
const MARK = /<!--=([\w.-]+)\.(\w+)(%?)-->([^<]*)<!--\/-->/g

/**
 * A figure for readers: `1,582`, or as a share `84.0 %`. It has three digits; most clocks are less exact than
 * that.
 */
export function formatFigure(value: number, isShare = false): string {
  if (isShare) return `${value.toFixed(1)} %`
  const digits = Number.isInteger(value) || Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return value.toLocaleString('en-US', { maximumFractionDigits: digits })
}

/**
 * A text of a row with the figures of its record in place of names such as `{anyWhole%}`; undefined if
 * nothing is recorded yet. A figure that the record does not have is a problem, and the text says so in its
 * place.
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

/**
 * A document with the marked figures filled in from the records. A figure stays as it is if nobody has
 * measured its record yet.
 */
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

/** The records that the marks of a document name. */
export const recordsNamedIn = (document: string): string[] => [
  ...new Set([...document.matchAll(MARK)].map(match => match[1]!)),
]
