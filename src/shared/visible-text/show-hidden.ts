import { hiddenSpans, type Span } from './hidden-characters.ts'
import { lookAlikeSpans } from './look-alikes.ts'

const PLAIN = /^[\n\t\x20-\x7e]*$/

/**
 * A text for a person who decides about it: hidden and reordering characters, and look-alikes in words of mixed scripts, are
 * written as `⟨U+202E⟩`. Ordinary text stays as it is, in any language; so do line feeds and tabs.
 */
export function showHidden(text: string): string {
  return PLAIN.test(text) ? text : rewrite(text, inBrackets, same)
}

/** The same for a text in one line, such as a name: line feeds and tabs are written out too. */
export const showHiddenInLine = (text: string): string => showHidden(text).replaceAll(/[\n\t]/g, inBrackets)

/** One line of JSON in which what `showHidden` would write out is escaped; the values stay. */
export const jsonLine = (value: unknown): string =>
  (JSON.stringify(value) ?? 'null').replaceAll(/"(?:[^"\\]|\\.)*"/g, literal => {
    if (PLAIN.test(literal) && !literal.includes('\\')) return literal
    const text = JSON.parse(literal) as string
    return PLAIN.test(text)
      ? literal
      : `"${rewrite(text, escaped, kept => JSON.stringify(kept).slice(1, -1))}"`
  })

const same = (text: string) => text

/** What `showHidden` writes out of a text, in order, each with what stands there instead. */
export function writtenSpans(text: string): (Span & { shown: string })[] {
  return PLAIN.test(text)
    ? []
    : spansIn(text).map(span => ({
        ...span,
        shown: writtenAs(text.slice(span.from, span.to)),
      }))
}

/** Spans that do not overlap. */
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

/** What stands for characters that are written out. */
export const writtenAs = (text: string): string => Array.from(text, inBrackets).join('')

const escaped = (character: string) =>
  Array.from({ length: character.length }, (_, at) => `\\u${hex(character.charCodeAt(at))}`).join('')
