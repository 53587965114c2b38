import { BLACK, holdsSecret, secretSpans } from '../../../untrusted/redact.ts'
import { hiddenSpans } from '../../../../shared/visible-text/hidden-characters.ts'
import { writtenSpans } from '../../../../shared/visible-text/show-hidden.ts'
import { markCode, replaceSpans, type Replacement, type RichText } from './rich-text.ts'

/**
 * Make the texts of an answer safe to send to Telegram: redact keys, even if Markdown or hidden characters
 * were inside them, write out hidden characters, and keep words from becoming buttons.
 */
export function cleanTexts(texts: readonly RichText[]): RichText[] {
  const whole = texts.map(({ text }) => text).join('\n')
  const mayHoldSecret = holdsSecret(withoutHidden(whole).text)
  return texts.map(rich => cleanText(rich, mayHoldSecret))
}

/** Marks that Telegram removes, with their letter: lines, and a ring, which may be part of the letter. */
const REMOVED_MARKS = /(?:\p{L}\p{M}{0,8})?[\u030a\u0333\u033f]\p{M}{0,8}/gu

/** Return a text that arrives as sent: with spaces for tabs, and with hidden characters written out. */
function cleanText(rich: RichText, mayHoldSecret: boolean): RichText {
  const tabs = spansOf(rich.text, /\t/g, () => '    ')
  let clean = replaceSpans({ ...rich, entities: rich.entities.filter(hidesNoSecret) }, tabs)
  if (/[\u030a\u0333\u033f]/.test(clean.text))
    clean = replaceSpans(clean, spansOf(clean.text, REMOVED_MARKS, withoutMarks))
  if (mayHoldSecret) clean = replaceSpans(clean, secretsIn(clean.text))
  clean = replaceSpans(clean, writtenSpans(clean.text))
  for (const { index, 0: found } of clean.text.matchAll(ACTIONS))
    clean = markCode(clean, index, index + found.length)
  return clean
}

/** Return whether an entity's address contains no key, even one with Markdown characters in it. */
const hidesNoSecret = (entity: RichText['entities'][number]) =>
  entity.type !== 'text_link' || !(holdsSecret(entity.url) || holdsSecret(decodeUri(entity.url)))

function decodeUri(address: string): string {
  return address.replaceAll(/%[2-7][\da-f]/gi, code =>
    String.fromCharCode(Number.parseInt(code.slice(1), 16)),
  )
}

/** Find secrets, even if hidden characters were inside them. */
function secretsIn(text: string): Replacement[] {
  const { text: bare, places } = withoutHidden(text)
  return secretSpans(bare).map(({ from, to }) => ({
    from: places?.[from] ?? from,
    to: places ? (places[to - 1] ?? text.length - 1) + 1 : to,
    shown: BLACK,
  }))
}

/** Remove hidden characters, and return the positions of the rest; no positions if none were hidden. */
function withoutHidden(text: string): { text: string; places?: number[] } {
  const hidden = [...hiddenSpans(text)]
  if (hidden.length === 0) return { text }
  const isHidden = new Set(
    hidden.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, at) => from + at)),
  )
  const places = Array.from({ length: text.length }, (_, at) => at).filter(at => !isHidden.has(at))
  return { text: places.map(at => text.charAt(at)).join(''), places }
}

/**
 * Texts that Telegram turns into buttons: a tap on `/stop` sends it in the user's name, and `@name` notifies
 * somebody. The words may come from a stranger, so they are sent as code, which is only text.
 */
const ACTIONS = /(?<![\w/<>])\/\w{1,64}(?:@\w+)?(?![\w/<>])|(?<![\w@/])@[A-Za-z]\w{3,31}\b/g

const withoutMarks = (found: string) => found.normalize('NFC').replaceAll(/[\u030a\u0333\u033f]/g, '')

const spansOf = (text: string, pattern: RegExp, write: (found: string) => string): Replacement[] =>
  Array.from(text.matchAll(pattern), ({ index, 0: found }) => ({
    from: index,
    to: index + found.length,
    shown: write(found),
  }))
