import { hiddenSpans, type Span } from './hidden-characters.ts'
import { lookAlikeSpans } from './look-alikes.ts'

const PLAIN = /^[\n\t\x20-\x7e]*$/

/**
 * Write a text for a user who decides about it: hidden and reordering characters, and look-alikes in words of
 * mixed scripts, become `⟨U+202E⟩`. Ordinary text in any language stays unchanged, as do line feeds and tabs.
 */
export function showHidden(text: string): string {
  return PLAIN.test(text) ? text : rewrite(text, inBrackets, same)
}

/** Like `showHidden`, for a text on one line, such as a name: line feeds and tabs are written out too. */
export const showHiddenInLine = (text: string): string => showHidden(text).replaceAll(/[\n\t]/g, inBrackets)

/**
 * One line of JSON, with the characters escaped that `showHidden` would write out; the values stay the same.
 */
export const jsonLine = (value: unknown): string =>
  (JSON.stringify(value) ?? 'null').replaceAll(/"(?:[^"\\]|\\.)*"/g, literal => {
    if (PLAIN.test(literal) && !literal.includes('\\')) return literal
    const text = JSON.parse(literal) as string
    return PLAIN.test(text)
      ? literal
      : `"${rewrite(text, escaped, kept => JSON.stringify(kept).slice(1, -1))}"`
  })

const same = (text: string) => text

/** The parts of a text that `showHidden` writes out, in order, each with its replacement. */
export function writtenSpans(text: string): (Span & { shown: string })[] {
  return PLAIN.test(text)
    ? []
    : spansIn(text).map(span => ({
        ...span,
        shown: writtenAs(text.slice(span.from, span.to)),
      }))
}

/** The hidden and look-alike spans of a text, without overlaps. */
function spansIn(text: string): Span[] {
  let from = 0
  const spans: Span[] = [...hiddenSpans(text), ...lookAlikeSpans(text)]
  return spans
    .toSorted((a, b) => a.from - b.from || b.to - a.to)
    .filter(span => {
      if (span.from < from) return false
      from = span.to
      return true
    })
}

function rewrite(text: string, write: (character: string) => string, keep: (text: string) => string): string {
  let shown = ''
  let from = 0
  for (const span of spansIn(text)) {
    shown += keep(text.slice(from, span.from))
    for (const character of text.slice(span.from, span.to)) shown += write(character)
    from = span.to
  }
  return shown + keep(text.slice(from))
}

const hex = (value: number) => value.toString(16).padStart(4, '0')

const inBrackets = (character: string) => `⟨U+${hex(character.codePointAt(0) ?? 0).toUpperCase()}⟩`

/** The replacement for characters that are written out. */
export const writtenAs = (text: string): string => Array.from(text, inBrackets).join('')

const escaped = (character: string) =>
  Array.from({ length: character.length }, (_, at) => `\\u${hex(character.charCodeAt(at))}`).join('')
