import { hiddenSpans } from '../../../../shared/visible-text/hidden-characters.ts'
import { inOneLine } from './page-nodes.ts'

const MOST = { texts: 60, letters: 400 }

/** Collect removed texts to show to the user: without repetitions, shortened, and not too many. */
export function gatherHidden(): { add: (text: string) => void; texts: () => string[] } {
  const found = new Set<string>()
  return {
    add(text) {
      const line = inOneLine(text)
      if (!/[\p{L}\p{N}]/u.test(line) || found.size >= MOST.texts) return
      found.add(line.length > MOST.letters ? `${line.slice(0, MOST.letters)}…` : line)
    },
    texts: () => [...found],
  }
}

/**
 * Remove invisible characters from a text. Blanks of other widths become plain ones. `secret` is the text
 * that tags and variation selectors spell for programs.
 */
export function withoutHidden(text: string): { text: string; secret: string } {
  let [shown, secret, from] = ['', '', 0]
  for (const span of hiddenSpans(text)) {
    const hidden = text.slice(span.from, span.to)
    shown += text.slice(from, span.from) + (/^[\p{Z}\p{Cc}]+$/u.test(hidden) ? ' ' : '')
    for (const letter of hidden) {
      const code = letter.codePointAt(0) ?? 0
      if (code > 0xe0000 && code < 0xe0080) secret += String.fromCodePoint(code - 0xe0000)
    }
    from = span.to
  }
  return from === 0 ? { text, secret } : { text: shown + text.slice(from), secret }
}
