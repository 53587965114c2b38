/** Each mark of emphasis and each bracket is compared with the others of its paragraph: twice as many take four times as long. */
const MOST_MARKS = 4_000
const MARKS = /[*_~[\]]/g

/** Where another paragraph begins: at an empty line, an item of a list, a quote, a heading or a row of a table. */
const BEGINS = /\n(?=[ \t]*(?:\n|[-*+] |\d{1,9}[.)] |>|#|\|))/

/** Whether a paragraph of a Markdown text has so many marks that it is better shown as it is written, as what a model repeats without end. */
export const isCrowded = (text: string): boolean =>
  (text.match(MARKS)?.length ?? 0) > MOST_MARKS &&
  text.split(BEGINS).some(part => (part.match(MARKS)?.length ?? 0) > MOST_MARKS)
