import { unframeText } from '../../untrusted/strangers-text.ts'
import { showHidden, showHiddenInLine } from '../../../shared/visible-text/show-hidden.ts'

// Writes texts of files, commands and people into Markdown, so that nothing in them is read as Markdown.

/** Limits: characters of a name and of a quoted text, and what a block shows. */
const LONGEST_NAME = 200
const LONGEST_QUOTE = 400
const BLOCK_LINES = 80
const BLOCK_CHARACTERS = 3_000
/** Characters that are shown of a line in a block. */
export const LONGEST_LINE = 1_000

/** Signs that Markdown, a link or a formula could be made of. A plain sentence has none. */
const RISKY = /[`*~<>[\]\\$|]|&#?\w+;|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|:\/\/|\bwww\./u

/** A text in one line, not longer than `most` characters. */
export function toOneLine(text: string, most = LONGEST_QUOTE): string {
  const line = unframeText(text).replaceAll(/\s+/g, ' ').trim()
  return line.length <= most ? line : `${line.slice(0, most - 1).toWellFormed()}…`
}

/** A name or a short text as code within a line. What cannot be seen in it is written out. */
export function writeCode(text: string, most = LONGEST_NAME): string {
  const short = text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`
  const shown = showHiddenInLine(short)
  if (shown === '') return '(no name)'
  const fence = '`'.repeat(longestRun(shown) + 1)
  const pad = /^`|`$|^ .*\S.* $/.test(shown) ? ' ' : ''
  return `${fence}${pad}${shown}${pad}${fence}`
}

/** Words of a person in quotes; as code where Markdown could be read into them. */
export function quoteWords(text: string, most = LONGEST_QUOTE): string {
  const line = toOneLine(text, most)
  return RISKY.test(line) ? writeCode(line, most) : `“${showHiddenInLine(line)}”`
}

/** A sentence with its end, which a quote at its end may bring along. */
export const endSentence = (text: string): string => (/[.!?…]”$/.test(text) ? text : `${text}.`)

/** Words that stand alone, without quotes; as code where Markdown could be read into them. */
export function writeWords(text: string, most = LONGEST_QUOTE): string {
  const line = toOneLine(text, most)
  return RISKY.test(line) ? writeCode(line, most) : showHiddenInLine(line)
}

/** Names as code, with commas between them. */
export const listNames = (names: readonly string[]): string => names.map(each => writeCode(each)).join(', ')

/** Points of a list, at most so many, with the number of those that are left out. */
export function listPoints(points: readonly string[], most: number, rest = points.length): string {
  const shown = points.slice(0, most)
  const left = rest - shown.length
  return [
    ...shown.map(point => `- ${point}`),
    ...(left > 0 ? [`- … and ${left.toLocaleString('en')} more`] : []),
  ].join('\n')
}

/** A block of code, how many lines it shows, and whether it is less than the text. */
type Block = { block: string; lines: number; isCut: boolean }

/**
 * A text as a block of code with a fence that nothing in it can close. Of a long one the beginning is shown, or beginning and end
 * where `ends` says so.
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

/** A third from the beginning, the rest from the end, where errors stand. */
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

/** A text argument of a call; empty where it has none. */
export function textIn(input: Record<string, unknown>, name: string): string {
  const value = input[name]
  return typeof value === 'string' ? value : ''
}
