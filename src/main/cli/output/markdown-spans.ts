import { styleText } from 'node:util'

/** Colours and weights of a terminal. */
export type Look = Exclude<Parameters<typeof styleText>[0], readonly unknown[]>

/** A span of text longer than this is shown as it is: an answer must not wait for the end of what may be no emphasis. */
const LONGEST_SPAN = 300
/** What is looked at to find a span: one more mark behind it would change what it is. */
const WINDOW = LONGEST_SPAN + 3

/** Emphasis within a line; the groups are the shown text and, for a link, its address. Beside letters of Chinese it is one, too. */
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
/** Up to the next sign that may begin something. */
const PLAIN = /^(?:(?!https?:\/\/)[^`*[~\\\n])+/
/** Its signs are no marks. It ends before what is not ASCII: full-width punctuation never belongs to one. */
const ADDRESS = /^https?:\/\/(?:[!-)+-;=?-_a-~]|\*(?!\*))*/
/** The beginning of what may become one. */
const HALF_ADDRESS = /h(?:t(?:t(?:p(?:s?(?::\/?)?)?)?)?)?$/
const ESCAPED = /^\\[!-/:-@[-`{-~]/

/** Text with a look. */
export const paintText = (text: string, looks: readonly Look[]): string =>
  text === '' || looks.length === 0 ? text : styleText([...looks], text, { validateStream: false })

/** The beginning of a line, as it is shown, and how long it was. */
type Span = { shown: string; length: number }

/**
 * The next span of a line; undefined while its end is not known. `isLast`: nothing follows. Whatever the text, only its beginning is looked
 * at, so that all of it is read in one pass.
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
  // More of it may follow.
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

/** A line, or a part of one, with its spans. */
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
