/** Each mark of emphasis and each bracket is compared with the others of its paragraph: twice as many take four times as long. */
const MOST_MARKS = 4_000
const MARKS = /[*_~[\]]/g

/** How pieces of HTML begin, and how they end. A piece without an end makes the parser read the rest of the paragraph. */
const PIECES = [
  [/<!--/g, '-->'],
  [/<\?/g, '?>'],
  [/<![a-z]/gi, '>'],
  [/<!\[CDATA\[/g, ']]>'],
] as const
/** Most pieces without an end. With thousands, a paragraph of 40,000 characters takes seconds. */
const MOST_OPEN = 200

/** Where another paragraph begins: at an empty line, an item of a list, a quote, a heading or a row of a table. */
const BEGINS = /\n(?=[ \t]*(?:\n|[-*+] |\d{1,9}[.)] |>|#|\|))/

/**
 * Whether a paragraph of a Markdown text has so many marks, or beginnings of HTML without an end, that it is better shown as it is
 * written, as what a model repeats without end.
 */
export const isCrowded = (text: string): boolean =>
  (hasManyMarks(text) && text.split(BEGINS).some(hasManyMarks)) ||
  (text.includes('<') && text.split(BEGINS).some(hasManyOpen))

const countIn = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

const hasManyMarks = (text: string): boolean => countIn(text, MARKS) > MOST_MARKS

const hasManyOpen = (text: string): boolean =>
  PIECES.some(([begin, end]) => countIn(text.slice(text.lastIndexOf(end) + 1), begin) > MOST_OPEN)
