import { nextSpanOf, paintText, type Look } from './markdown-spans.ts'
import { drawTable, findTable } from './markdown-table.ts'

/** Styles Markdown while it arrives. Undecided text, such as an unfinished bold word, is held back. */
export type MarkdownStyler = {
  /** Add text. Returns the text that can be shown now. */
  add(text: string): string
  /** Return the text that was held back. */
  finish(): string
}

/**
 * The mark at the start of a line. After the mark of a heading or a quote, the rest of the line is styled
 * too.
 */
const LINE_START =
  /^(?<indent>[ \t]*)(?:(?<fence>`{3,}|~{3,})|(?<heading>#{1,6})[ \t]+|(?<quote>>)[ \t]?|(?<bullet>[-*+])[ \t]+)/
/** The start of a line that may still become such a mark. */
const UNDECIDED = /^[ \t]*(?:`{0,2}|~{0,2}|#{1,6}[ \t]*|[-*+>][ \t]*)$/
/** Maximum number of characters to hold back at the start of a line, or for a line of code. */
const LONGEST_WAIT = 500
/** Width in columns if the terminal does not report its own. */
const USUAL_COLUMNS = 80

/** Whether a stream is a terminal with colours. Without colours, an answer stays as the model wrote it. */
export const hasColours = (stream: NodeJS.WritableStream): boolean =>
  'hasColors' in stream && typeof stream.hasColors === 'function' && stream.hasColors() === true

/**
 * Create the styler of one answer. Only the marks of styled text are dropped. `columns` returns the width of
 * the terminal.
 */
export function createMarkdownStyler(columns: () => number = () => USUAL_COLUMNS): MarkdownStyler {
  let held = ''
  let isLineStart = true
  let fence: string | undefined
  let looks: readonly Look[] = []

  /** Take this many characters from the start of the held text. */
  function take(length: number): string {
    const taken = held.slice(0, length)
    held = held.slice(length)
    return taken
  }

  /** The next whole line of a code block, or its closing fence; undefined while the line is incomplete. */
  function nextOfBlock(marks: string, isLast: boolean): string | undefined {
    const end = held.indexOf('\n')
    if (end < 0 && !isLast && isLineStart && held.length < LONGEST_WAIT) return undefined
    const line = take(end < 0 ? held.length : end + 1)
    const text = line.replace(/\n$/, '')
    const isEnd = isLineStart && closesFence(text, marks)
    if (isEnd) fence = undefined
    isLineStart = line.endsWith('\n')
    return paintText(text, [isEnd ? 'dim' : 'cyan']) + line.slice(text.length)
  }

  /** A whole table, or the mark at the start of a line; undefined while it is undecided. */
  function nextLineStart(isLast: boolean): string | undefined {
    const table = findTable(held, isLast)
    if (table === 'unknown') return undefined
    if (table !== 'none') return drawTable(take(table), columns())
    const begin = held.slice(0, LONGEST_WAIT)
    if (!isLast && begin.length < LONGEST_WAIT && UNDECIDED.test(begin)) return undefined
    const found = LINE_START.exec(begin)
    const { indent = '', fence: opening, heading, quote, bullet } = found?.groups ?? {}
    if (opening !== undefined) {
      const end = held.indexOf('\n')
      if (end < 0 && !isLast && begin.length < LONGEST_WAIT) return undefined
      fence = opening
      isLineStart = end >= 0
      const line = take(end < 0 ? held.length : end + 1)
      return paintText(line, ['dim'])
    }
    isLineStart = false
    take(found?.[0].length ?? 0)
    looks = heading !== undefined ? ['bold'] : quote !== undefined ? ['dim'] : []
    return `${indent}${quote === undefined ? '' : paintText('│ ', looks)}${bullet === undefined ? '' : '• '}`
  }

  /** The next span of a line; undefined while its end is unknown. */
  function nextOfLine(isLast: boolean): string | undefined {
    if (held.startsWith('\n')) {
      isLineStart = true
      looks = []
      return take(1)
    }
    const span = nextSpanOf(held, isLast, looks)
    if (span) take(span.length)
    return span?.shown
  }

  function nextPiece(isLast: boolean): string | undefined {
    if (held === '') return undefined
    if (fence !== undefined) return nextOfBlock(fence, isLast)
    return isLineStart ? nextLineStart(isLast) : nextOfLine(isLast)
  }

  function readOn(isLast: boolean): string {
    let shown = ''
    for (let next = nextPiece(isLast); next !== undefined; next = nextPiece(isLast)) shown += next
    return shown
  }

  return {
    add(text) {
      held += text
      return readOn(false)
    },
    finish() {
      const rest = readOn(true)
      isLineStart = true
      fence = undefined
      looks = []
      return rest
    },
  }
}

const closesFence = (line: string, marks: string): boolean => {
  const text = line.trim()
  return text.length >= marks.length && /^(?:`+|~+)$/.test(text) && text[0] === marks[0]
}
