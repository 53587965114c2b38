/** A line without its indent and trailing spaces. `indent`: the width of the indent in columns. */
export type Line = { text: string; indent: number }

/** Read the indent of a line. A tab goes to the next multiple of four columns. */
export function readLine(source: string): Line {
  let indent = 0
  let at = 0
  for (; at < source.length; at++) {
    if (source[at] === ' ') indent++
    else if (source[at] === '\t') indent += 4 - (indent % 4)
    else break
  }
  return { text: source.slice(at).trimEnd(), indent }
}

/** The marks of the fence that a line opens. A fence of backticks has no backticks after it. */
export function opensFence(text: string): string | undefined {
  return /^(`{3,})[^`]*$|^(~{3,})/
    .exec(text)
    ?.slice(1)
    .find(marks => marks !== undefined)
}

const ITEM = /^(?:([-*+])|(\d{1,9})([.)]))(?:([ \t]+)(.*))?$/

/** A list item: its sign, the column of its content, and whether it can interrupt a paragraph. */
type Item = { sign: string; indent: number; content: string; interrupts: boolean }

/** The list item that a line starts. */
export function itemOf(line: Line): Item | undefined {
  const [, bullet, number, dot = '', blanks = '', content = ''] = ITEM.exec(line.text) ?? []
  const sign = bullet ?? (number === undefined ? undefined : dot)
  if (sign === undefined) return undefined
  const width = (number ?? '').length + 1
  const gap = blanks.includes('\t') ? 4 : blanks.length
  const isWide = gap === 0 || gap > 4 || content === ''
  return {
    sign,
    // Content this far from its sign is code.
    content: gap > 4 ? '' : content,
    indent: line.indent + width + (isWide ? 1 : gap),
    interrupts: content !== '' && (number === undefined || Number(number) === 1),
  }
}

/** The tag of a folded section, which may be open at first. */
export const DETAILS = /^<details(?: +open(?:="(?:open|true)?"|=open|=true)?)? *>/i

const DELIMITERS = /^[ \t]{0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/

/** Whether a line is the delimiter line between the head of a table and its rows. */
export const isDelimiters = (line: string): boolean => line.includes('|') && DELIMITERS.test(line)

/** Whether a line is the head of a table: the delimiter line follows at position `end` of the text. */
export function beginsTable(head: string, text: string, end: number): boolean {
  if (!head.includes('|')) return false
  const last = text.indexOf('\n', end)
  const below = text.slice(end, last < 0 ? text.length : last)
  return isDelimiters(below) && cellsOf(head) === cellsOf(below)
}

/** How many cells a row has. */
export const cellsOf = (row: string) =>
  row
    .trim()
    .replace(/^[ \t>]*\|/, '')
    .replace(/(?<!\\)\|$/, '')
    .split(/(?<!\\)\|/).length
