import { unframeText } from '../../untrusted/strangers-text.ts'
import { showHidden, showHiddenInLine } from '../../../shared/visible-text/show-hidden.ts'

// Writes texts of files, commands and users into Markdown, so that nothing in them is read as Markdown.

/** Maximum lengths in characters of a name and of a quoted text, and the size of a block. */
const LONGEST_NAME = 200
const LONGEST_QUOTE = 400
const BLOCK_LINES = 80
const BLOCK_CHARACTERS = 3_000
/** How many characters of a line a block shows. */
export const LONGEST_LINE = 1_000

/** Characters that could form Markdown, a link or a formula. A plain sentence has none. */
const RISKY = /[`*~<>[\]\\$|]|&#?\w+;|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|:\/\/|\bwww\./u

/** Put a text on one line of at most `most` characters. */
export function toOneLine(text: string, most = LONGEST_QUOTE): string {
  const line = unframeText(text).replaceAll(/\s+/g, ' ').trim()
  return line.length <= most ? line : `${line.slice(0, most - 1).toWellFormed()}…`
}

/** Write a name or a short text as inline code. Invisible characters are spelled out. */
export function writeCode(text: string, most = LONGEST_NAME): string {
  const short = text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`
  const shown = showHiddenInLine(short)
  if (shown === '') return '(no name)'
  const fence = '`'.repeat(longestRun(shown) + 1)
  const pad = /^`|`$|^ .*\S.* $/.test(shown) ? ' ' : ''
  return `${fence}${pad}${shown}${pad}${fence}`
}

/** Quote the user's words; as code if they could be read as Markdown. */
export function quoteWords(text: string, most = LONGEST_QUOTE): string {
  const line = toOneLine(text, most)
  return RISKY.test(line) ? writeCode(line, most) : `“${showHiddenInLine(line)}”`
}

/** End a sentence with a full stop, unless a quote at its end already has one. */
export const endSentence = (text: string): string => (/[.!?…]”$/.test(text) ? text : `${text}.`)

/** Write words without quotes; as code if they could be read as Markdown. */
export function writeWords(text: string, most = LONGEST_QUOTE): string {
  const line = toOneLine(text, most)
  return RISKY.test(line) ? writeCode(line, most) : showHiddenInLine(line)
}

/** Names as code, with commas between them. */
export const listNames = (names: readonly string[]): string => names.map(each => writeCode(each)).join(', ')

/** List at most `most` points, and say how many of `rest` are left out. */
export function listPoints(points: readonly string[], most: number, rest = points.length): string {
  const shown = points.slice(0, most)
  const left = rest - shown.length
  return [
    ...shown.map(point => `- ${point}`),
    ...(left > 0 ? [`- … and ${left.toLocaleString('en')} more`] : []),
  ].join('\n')
}

/** A block of code, how many lines it shows, and whether the text was cut. */
type Block = { block: string; lines: number; isCut: boolean }

/**
 * Write a text as a code block whose fence nothing in it can close. Of a long text, show the beginning, or
 * the beginning and the end if `ends` says so.
 */
export function writeBlock(
  text: string,
  { language = '', ends = false }: { language?: string; ends?: boolean } = {},
): Block {
  const all = unframeText(text).split(/\r\n|\n/)
  const long = all.some(line => line.length > LONGEST_LINE)
  const lines = all.map(line =>
    line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE).toWellFormed()} …` : line,
  )
  const size = lines.reduce((sum, line) => sum + line.length + 1, 0)
  const fits = lines.length <= BLOCK_LINES && size <= BLOCK_CHARACTERS
  const shown = fits ? lines : ends ? bothEnds(lines) : within(lines, BLOCK_LINES, BLOCK_CHARACTERS)
  const body = showHidden(shown.join('\n'))
  const fence = '`'.repeat(Math.max(3, longestRun(body) + 1))
  return { block: `${fence}${language}\n${body}\n${fence}`, lines: shown.length, isCut: long || !fits }
}

/** Keep a third from the beginning and the rest from the end, where errors are. */
function bothEnds(lines: readonly string[]): string[] {
  const head = within(lines, BLOCK_LINES / 4, BLOCK_CHARACTERS / 3)
  const tail = within(
    lines.slice(head.length).toReversed(),
    (BLOCK_LINES * 3) / 4,
    (BLOCK_CHARACTERS * 2) / 3,
  )
  const left = lines.length - head.length - tail.length
  return [...head, `… (${left.toLocaleString('en')} lines are left out) …`, ...tail.toReversed()]
}

function within(lines: readonly string[], most: number, characters: number): string[] {
  let room = characters
  const end = lines.findIndex((line, at) => at >= most || (at > 0 && (room -= line.length + 1) < 0))
  return lines.slice(0, end < 0 ? undefined : end)
}

const longestRun = (text: string): number =>
  [...text.matchAll(/`+/g)].reduce((most, [run]) => Math.max(most, run.length), 0)

/** Read a text argument of a call; empty if it is missing. */
export function textIn(input: Record<string, unknown>, name: string): string {
  const value = input[name]
  return typeof value === 'string' ? value : ''
}
