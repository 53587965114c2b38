import { styleText } from 'node:util'

type Look = Parameters<typeof styleText>[0]

/** Styles Markdown while it arrives. What is not known yet, such as the end of a bold word, is held back. */
export type MarkdownStyler = {
  /** What can be shown after some more text. */
  add(text: string): string
  /** What was held back. */
  finish(): string
}

/** A span of text longer than this is shown as it is: an answer must not wait for the end of what may be no emphasis. */
const LONGEST_SPAN = 300

/** Emphasis within a line; the groups are the shown text and, for a link, its address. */
const SPANS: readonly { whole: RegExp; look: Look }[] = [
  { whole: /^(?<ticks>`+)(?!`)(?<text>[^\n]*?[^`\n])\k<ticks>(?!`)/, look: 'cyan' },
  { whole: /^\*\*(?=[^\s*])(?<text>[^\n]*?[^\s])\*\*(?!\*)/, look: 'bold' },
  { whole: /^\*(?=[^\s*])(?<text>[^*\n]*?[^\s*])\*(?![*\w])/, look: 'italic' },
  { whole: /^\[(?<text>[^\]\n]+)\]\((?<address>[^)\s]+)\)/, look: 'underline' },
]
/** The mark at the start of a line. After the mark of a heading or a quote, the rest of the line is styled too. */
const LINE_START =
  /^(?<indent>[ \t]*)(?:(?<fence>`{3,}|~{3,})|(?<heading>#{1,6})[ \t]+|(?<quote>>)[ \t]?|(?<bullet>[-*+])[ \t]+)/
/** A beginning that may still become one of these. */
const UNDECIDED = /^[ \t]*(?:`{0,2}|~{0,2}|#{1,6}[ \t]*|[-*+>][ \t]*)$/

/** Only where a terminal has colours: elsewhere an answer stays as the model wrote it. */
export const hasColours = (stream: NodeJS.WritableStream): boolean =>
  'hasColors' in stream && typeof stream.hasColors === 'function' && stream.hasColors() === true

/** Create the styler of one answer. Nothing of the text is lost but the marks of what is styled. */
export function createMarkdownStyler(): MarkdownStyler {
  let held = ''
  let isLineStart = true
  let fence: string | undefined
  let look: Look | undefined
  const paint = (text: string, as: Look | undefined = look) =>
    text === '' || as === undefined ? text : styleText(as, text, { validateStream: false })

  /** Take the beginning of what is held. */
  function take(length: number): string {
    const taken = held.slice(0, length)
    held = held.slice(length)
    return taken
  }

  /** A line of a block of code, or its end, which come as a whole. Undefined while the line has no end. */
  function nextOfBlock(isLast: boolean): string | undefined {
    const end = held.indexOf('\n')
    if (end < 0 && !isLast) return undefined
    const line = take(end < 0 ? held.length : end + 1)
    const text = line.replace(/\n$/, '')
    const isEnd = text.trim() === fence
    if (isEnd) fence = undefined
    isLineStart = line.endsWith('\n')
    return paint(text, isEnd ? 'dim' : 'cyan') + line.slice(text.length)
  }

  /** The mark at the beginning of a line; undefined while it is not known. */
  function nextLineStart(isLast: boolean): string | undefined {
    if (!isLast && UNDECIDED.test(held)) return undefined
    const found = LINE_START.exec(held)
    const { indent = '', fence: opening, heading, quote, bullet } = found?.groups ?? {}
    if (opening !== undefined) {
      const end = held.indexOf('\n')
      if (end < 0 && !isLast) return undefined
      fence = opening
      const line = take(end < 0 ? held.length : end + 1)
      return paint(line, 'dim')
    }
    isLineStart = false
    take(found?.[0].length ?? 0)
    look = heading !== undefined ? 'bold' : quote !== undefined ? 'dim' : undefined
    return `${indent}${paint(quote === undefined ? '' : '│ ')}${bullet === undefined ? '' : '• '}`
  }

  /** The next span of a line; undefined while its end is not known. */
  function nextSpan(isLast: boolean): string | undefined {
    const [plain = ''] = /^[^`*[\n]+/.exec(held) ?? []
    if (plain !== '') return paint(take(plain.length))
    if (held.startsWith('\n')) {
      isLineStart = true
      look = undefined
      return take(1)
    }
    const isComplete = isLast || held.includes('\n') || held.length > LONGEST_SPAN
    for (const { whole, look: own } of SPANS) {
      const found = whole.exec(held)
      // One more mark after it would change what it is.
      if (!found || (found[0].length === held.length && !isComplete && own !== 'underline')) continue
      const { text = '', address } = found.groups!
      take(found[0].length)
      const styles = [own, look ?? []].flat() as Look
      return paint(text, styles) + (address === undefined ? '' : paint(` (${address})`, 'dim'))
    }
    if (!isComplete) return undefined
    const [marks = ''] = /^(?:`+|\*+|\[)/.exec(held) ?? []
    return paint(take(marks.length))
  }

  function nextPiece(isLast: boolean): string | undefined {
    if (held === '') return undefined
    if (!isLineStart) return nextSpan(isLast)
    return fence === undefined ? nextLineStart(isLast) : nextOfBlock(isLast)
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
      look = undefined
      return rest
    },
  }
}
