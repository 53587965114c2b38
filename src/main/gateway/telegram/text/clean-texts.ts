import { BLACK, holdsSecret, secretSpans } from '../../../untrusted/redact.ts'
import { hiddenSpans } from '../../../../shared/visible-text/hidden-characters.ts'
import { writtenSpans } from '../../../../shared/visible-text/show-hidden.ts'
import { markCode, replaceSpans, type Replacement, type RichText } from './rich-text.ts'

/**
 * The texts of an answer as they may leave and as Telegram keeps them: keys blacked out, also where signs of Markdown or
 * hidden characters stood within them, what nobody sees written out, and no word that becomes a button.
 */
export function cleanTexts(texts: readonly RichText[]): RichText[] {
  const whole = texts.map(({ text }) => text).join('\n')
  const mayHoldSecret = holdsSecret(withoutHidden(whole).text)
  return texts.map(rich => cleanText(rich, mayHoldSecret))
}

/** Marks that Telegram removes, with the letter before them: a ring, which may be a part of it, and lines. */
const REMOVED_MARKS = /(?:\p{L}\p{M}{0,8})?[\u030a\u0333\u033f]\p{M}{0,8}/gu

/** A text that arrives as it was sent: without tabs, which become single blanks, and with what is hidden written out. */
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

/** Whether an entity has no address with a key, which may have had signs of Markdown in it. */
const hidesNoSecret = (entity: RichText['entities'][number]) =>
  entity.type !== 'text_link' || !(holdsSecret(entity.url) || holdsSecret(decodeUri(entity.url)))

function decodeUri(address: string): string {
  return address.replaceAll(/%[2-7][\da-f]/gi, code =>
    String.fromCharCode(Number.parseInt(code.slice(1), 16)),
  )
}

/** Secrets as they read without the signs of Markdown, and without what nobody sees, which may have stood within them. */
function secretsIn(text: string): Replacement[] {
  const { text: bare, places } = withoutHidden(text)
  return secretSpans(bare).map(({ from, to }) => ({
    from: places?.[from] ?? from,
    to: places ? (places[to - 1] ?? text.length - 1) + 1 : to,
    shown: BLACK,
  }))
}

/** A text without its hidden characters, and where each of the others stood; without places nothing was hidden. */
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
 * What Telegram makes a button of: a tap on `/stop` sends it in the name of the person, and `@name` calls somebody. The model
 * may have the words from a stranger, so they are code, which is only text.
 */
const ACTIONS = /(?<![\w/<>])\/\w{1,64}(?:@\w+)?(?![\w/<>])|(?<![\w@/])@[A-Za-z]\w{3,31}\b/g

const withoutMarks = (found: string) => found.normalize('NFC').replaceAll(/[\u030a\u0333\u033f]/g, '')

const spansOf = (text: string, pattern: RegExp, write: (found: string) => string): Replacement[] =>
  Array.from(text.matchAll(pattern), ({ index, 0: found }) => ({
    from: index,
    to: index + found.length,
    shown: write(found),
  }))
