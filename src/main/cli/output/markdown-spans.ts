import { styleText } from 'node:util'

/** Colours and weights of a terminal. */
export type Look = Exclude<Parameters<typeof styleText>[0], readonly unknown[]>

/**
 * Maximum length of a styled span. A longer one is shown unstyled, so that an answer never waits for an end
 * that may not come.
 */
const LONGEST_SPAN = 300
/** How many characters to look at for a span. Includes the marks after it, which can change its kind. */
const WINDOW = LONGEST_SPAN + 3

/**
 * Patterns of emphasis within a line, also next to Chinese characters. Groups: the shown text and, for a
 * link, its address.
 */
const SPANS: readonly { whole: RegExp; looks: readonly Look[] }[] = [
  { whole: /^(?<ticks>`+)(?!`)(?<code>[^\n]*?[^`\n])\k<ticks>(?!`)/, looks: ['cyan'] },
  { whole: /^\*{3}(?=[^\s*])(?<text>[^\n]*?[^\s*])\*{3}(?!\*)/, looks: ['bold', 'italic'] },
  { whole: /^\*\*(?=[^\s*])(?<text>[^\n]*?[^\s])\*\*(?!\*)/, looks: ['bold'] },
  { whole: /^\*(?=[^\s*])(?<text>[^*\n]*?[^\s*])\*(?![*\w])/, looks: ['italic'] },
  { whole: /^~~(?=[^\s~])(?<text>[^\n]*?[^\s~])~~(?!~)/, looks: ['strikethrough'] },
  {
    whole:
      /^\[(?<text>[^[\]\n]+)\]\((?<address>(?:[^()\s]|\([^()\s]*\))+)(?<title>[ \t]+(?:"[^"\n]*"|'[^'\n]*'))?\)/,
    looks: ['underline'],
  },
]
/** Plain text up to the next character that may start a span. */
const PLAIN = /^(?:(?!https?:\/\/)[^`*[~\\\n])+/
/**
 * A web address, whose characters are not marks. It ends before non-ASCII: full-width punctuation never
 * belongs to it.
 */
const ADDRESS = /^https?:\/\/(?:[!-)+-;=?-_a-~]|\*(?!\*))*/
/** A text end that may become the start of an address. */
const HALF_ADDRESS = /h(?:t(?:t(?:p(?:s?(?::\/?)?)?)?)?)?$/
const ESCAPED = /^\\[!-/:-@[-`{-~]/

/** Text with a look. */
export const paintText = (text: string, looks: readonly Look[]): string =>
  text === '' || looks.length === 0 ? text : styleText([...looks], text, { validateStream: false })

/** The start of a line as it is shown, and its length in the source. */
type Span = { shown: string; length: number }

/**
 * Return the next span of a line; undefined while its end is unknown. `isLast`: no text follows. Looks at a
 * bounded start of the text only, so that the whole text is read in linear time.
 */
export function nextSpanOf(held: string, isLast: boolean, looks: readonly Look[] = []): Span | undefined {
  const part = held.slice(0, WINDOW)
  const isComplete = isLast || part.includes('\n') || held.length >= WINDOW
  const isWhole = isLast || part.length > LONGEST_SPAN
  const [plain = ''] = PLAIN.exec(part) ?? []
  if (plain !== '') {
    const half = isComplete || plain.length < part.length ? 0 : (HALF_ADDRESS.exec(plain)?.[0].length ?? 0)
    const length = plain.length - half
    return length === 0 ? undefined : { shown: paintText(plain.slice(0, length), looks), length }
  }
  const [address] = ADDRESS.exec(part) ?? []
  // More of the address may follow.
  if (address !== undefined && (isWhole || address.length < part.length - 1))
    return { shown: paintText(address, looks), length: address.length }
  if (address !== undefined) return undefined
  if (ESCAPED.test(part)) return { shown: paintText(part[1]!, looks), length: 2 }
  for (const span of SPANS) {
    const found = span.whole.exec(part)
    if (!found || found[0].length > LONGEST_SPAN) continue
    const { text, code = '', address: to, title = '' } = found.groups!
    if (found[0].length === part.length && !isComplete && to === undefined) continue
    const own = [...span.looks, ...looks]
    const inside = text === undefined ? paintText(code, own) : styleSpans(text, own)
    return {
      shown: inside + (to === undefined ? '' : paintText(` (${to}${title})`, ['dim'])),
      length: found[0].length,
    }
  }
  if (!isComplete) return undefined
  const [marks = part.slice(0, 1)] = /^(?:`+|\*+|~+|\[)/.exec(part) ?? []
  return { shown: paintText(marks, looks), length: marks.length }
}

/** Style the spans of a line or of a part of a line. */
export function styleSpans(text: string, looks: readonly Look[] = []): string {
  let shown = ''
  let held = text
  while (held !== '') {
    const span = nextSpanOf(held, true, looks)
    if (!span) break
    shown += span.shown
    held = held.slice(span.length)
  }
  return shown + held
}
