/**
 * Maximum number of marks in a paragraph. The parser compares each mark with the others: twice as many take
 * four times as long.
 */
const MOST_MARKS = 4_000
const MARKS = /[*_~[\]]/g

/**
 * Start and end of pieces of HTML. A piece without an end makes the parser read the rest of the paragraph.
 */
const PIECES = [
  [/<!--/g, '-->'],
  [/<\?/g, '?>'],
  [/<![a-z]/gi, '>'],
  [/<!\[CDATA\[/g, ']]>'],
] as const
/**
 * Maximum number of pieces without an end. With thousands, a paragraph of 40,000 characters takes seconds.
 */
const MOST_OPEN = 200

/**
 * Matches where another paragraph starts: at an empty line, a list item, a quote, a heading or a table row.
 */
const BEGINS = /\n(?=[ \t]*(?:\n|[-*+] |\d{1,9}[.)] |>|#|\|))/

/**
 * Whether a paragraph of a Markdown text has so many marks, or HTML pieces without an end, that it is better
 * shown as plain text. Models that repeat themselves write such paragraphs.
 */
export const isCrowded = (text: string): boolean =>
  (hasManyMarks(text) && text.split(BEGINS).some(hasManyMarks)) ||
  (text.includes('<') && text.split(BEGINS).some(hasManyOpen))

const countIn = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

const hasManyMarks = (text: string): boolean => countIn(text, MARKS) > MOST_MARKS

const hasManyOpen = (text: string): boolean =>
  PIECES.some(([begin, end]) => countIn(text.slice(text.lastIndexOf(end) + 1), begin) > MOST_OPEN)
