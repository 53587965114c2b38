import { many } from '../../../shared/text/amounts.ts'
import type { SearchPattern } from './patterns/search-pattern.ts'

/** The matching lines in one file. `text` has several lines if the match does. */
export type Hit = { line: number; text: string }

const SHOWN_LINE = 300
const MOST_LINES_OF_MATCH = 8

/**
 * A text in a form that a pattern may be meant for: with composed characters, or in another encoding. `shown`
 * has the same lines as they are in the file.
 */
export type Version = { text: string; shown: string }
/** `isEnglish`: the text is plain ASCII. `encoding`: the name of the older encoding that it was read in. */
export type SearchedText = { versions: readonly Version[]; isEnglish: boolean; encoding?: string }

/** Search one text, and return the number of matches. The first version with a match counts. */
export function searchText(
  pattern: SearchPattern,
  { versions, isEnglish }: SearchedText,
  found: (hit: Hit) => void,
): number {
  for (const version of versions) {
    if (pattern.needed?.test(version.text) === false) continue
    const count = pattern.wholeFile
      ? searchWhole(isEnglish ? pattern.english : pattern.expression, version, found)
      : searchLines(pattern, isEnglish, version, found)
    if (count > 0) return count
  }
  return 0
}

const BEYOND_ENGLISH = /[^\0-\u007f]/

function searchLines(
  pattern: SearchPattern,
  isEnglish: boolean,
  { text, shown }: Version,
  found: (hit: Hit) => void,
): number {
  const { english, needed } = pattern
  const expression = isEnglish ? english : pattern.expression
  const lines = text.replace(/\n$/, '').split('\n')
  let shownLines: readonly string[] | undefined = text === shown ? lines : undefined
  // Searching for plain characters is fast; Unicode classes are slow.
  const firstLook = needed?.source === expression.source ? undefined : needed
  const isSlow = expression.source !== english.source
  let count = 0
  for (const [index, line] of lines.entries()) {
    if (firstLook?.test(line) === false) continue
    const match = (isSlow && !BEYOND_ENGLISH.test(line) ? english : expression).exec(line)
    if (!match) continue
    count += 1
    shownLines ??= shown.split('\n')
    found({ line: index + 1, text: shorten(shownLines[index] ?? '', line, match.index) })
  }
  return count
}

/** Search across lines. Matches that begin in the same line count once. */
function searchWhole(expression: RegExp, { text, shown }: Version, found: (hit: Hit) => void): number {
  let shownLines: readonly string[] | undefined
  let [count, line, lastLine, lineStart] = [0, 1, 0, 0]
  expression.lastIndex = 0
  for (let match = expression.exec(text); match; match = expression.exec(text)) {
    const { index, 0: matched } = match
    // Move on after an empty match, which would be found again.
    if (matched === '') expression.lastIndex += (text.codePointAt(index) ?? 0) > 0xff_ff ? 2 : 1
    for (let at = text.indexOf('\n', lineStart); at >= 0 && at < index; at = text.indexOf('\n', lineStart)) {
      line += 1
      lineStart = at + 1
    }
    // No line begins after the last line break.
    const isBehind = index === text.length && text.endsWith('\n') && matched === ''
    if (line === lastLine || isBehind) continue
    lastLine = line
    count += 1
    shownLines ??= shown.split('\n')
    const breaks = matched.replace(/\n$/, '').split('\n').length
    found({
      line,
      text: linesOf(
        shownLines,
        line - 1,
        breaks,
        shorten(shownLines[line - 1] ?? '', undefined, index - lineStart),
      ),
    })
  }
  return count
}

function linesOf(lines: readonly string[], start: number, count: number, first: string): string {
  const rest = lines
    .slice(start + 1, start + Math.min(count, MOST_LINES_OF_MATCH))
    .map(line => shorten(line, undefined, 0))
  const left = count - MOST_LINES_OF_MATCH
  return [first, ...rest, ...(left > 0 ? [`… (the match goes on for ${many(left, 'more line')})`] : [])].join(
    '\n',
  )
}

/** Shorten a long line around its match. `index` is the position in `matched`, the searched version. */
function shorten(line: string, matched: string | undefined, index: number): string {
  const text = line.trimEnd()
  if (text.length <= SHOWN_LINE) return text
  const at = matched === undefined || matched === line ? index : placeIn(line, index)
  const start = Math.max(0, Math.min(at - SHOWN_LINE / 3, text.length - SHOWN_LINE))
  const end = start + SHOWN_LINE
  return `${start > 0 ? '…' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`.toWellFormed()
}

/** The position in a line that becomes `index` once its characters are composed. */
function placeIn(line: string, index: number): number {
  let [composed, at] = [0, 0]
  for (const [cluster] of line.matchAll(/[^\p{M}\u1160-\u11ff][\p{M}\u1160-\u11ff]*|[^]/gu)) {
    if (composed >= index) break
    composed += cluster.normalize('NFC').length
    at += cluster.length
  }
  return at
}
