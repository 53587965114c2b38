import { BLACK, holdsSecret, redactText, secretSpans } from '../../../lib/redact.ts'
import { writtenSpans } from '../../../../shared/visible-text/show-hidden.ts'
import { readMarkdown } from './read-markdown.ts'
import { plainText, replaceSpans, type Replacement, type Block, type RichText } from './rich-text.ts'
import { numberParts, splitBlocks } from './split-blocks.ts'
import { writeBlocks } from './write-blocks.ts'

/** UTF-16 units of one message. */
export const LONGEST_MESSAGE = 4_096
/** Entities of one message; those beyond a hundred are dropped by Telegram. */
const MOST_ENTITIES = 100
/** Units that are left free: for the number of a part, the sign that more follows, and the note that it may be there twice. */
const FREE = 48

/** What is still being written of an answer. */
export const MORE = ' …'

/**
 * An answer in Markdown as messages for Telegram: text and entities, never a parse mode. What looks like a key is blacked
 * out, characters that nobody sees are written out, and an answer of several messages has their numbers. `isLive`: more of it
 * follows, so the last word may not be whole and is left out, because half a key is not known as one. `longest`: for captions, which are shorter than messages.
 */
export function writeParts(
  markdown: string,
  { isLive = false, longest = LONGEST_MESSAGE }: { isLive?: boolean; longest?: number } = {},
): RichText[] {
  const source = redactText(isLive ? withoutOpenEnd(markdown) : markdown)
  const nodes = readMarkdown(source, isLive)
  const blocks: Block[] = nodes ? writeBlocks(nodes) : [{ rich: plainText(source), cut: 'sentences' }]
  // Signs of Markdown may have stood within a key.
  const mayHoldSecret = holdsSecret(blocks.map(({ rich }) => rich.text).join('\n'))
  const clean = blocks.map(block => ({ ...block, rich: cleanText(block.rich, mayHoldSecret) }))
  const room = { units: longest - FREE, entities: MOST_ENTITIES }
  const parts = splitBlocks(clean, room)
  if (!isLive) return numberParts(parts)
  return parts.map((part, at) => (at === parts.length - 1 ? { ...part, text: part.text + MORE } : part))
}

/** A last word that more letters may follow, or numbers that may become one of a card. */
const OPEN_END = /(?:[\x21-\x7e]{1,4000}|\d[\d \t.-]{1,60})$/

/** A growing text up to where it is sure what it says. */
function withoutOpenEnd(text: string): string {
  const end = OPEN_END.exec(text.slice(-4_000))?.[0].length ?? 0
  const shown = text.slice(0, text.length - end)
  // The sign of a block, of bold text and the like stands before a word that is not there yet.
  return shown.replace(/[ \t]+$/, '')
}

/** Letters with marks that Telegram removes where they are characters of their own. */
const REMOVED_MARKS = /\p{L}[\u0300-\u036f]*[\u030a\u0333\u033f][\u0300-\u036f]*/gu

/** A text that arrives as it was sent: without tabs, which become single blanks, and with what is hidden written out. */
function cleanText(rich: RichText, mayHoldSecret: boolean): RichText {
  let clean = replaceSpans(
    rich,
    spansOf(rich.text, /\t/g, () => '    '),
  )
  if (/[\u030a\u0333\u033f]/.test(clean.text))
    clean = replaceSpans(
      clean,
      spansOf(clean.text, REMOVED_MARKS, found => found.normalize('NFC')),
    )
  if (mayHoldSecret)
    clean = replaceSpans(
      clean,
      secretSpans(clean.text).map(span => ({ ...span, shown: BLACK })),
    )
  return replaceSpans(clean, writtenSpans(clean.text))
}

const spansOf = (text: string, pattern: RegExp, write: (found: string) => string): Replacement[] =>
  Array.from(text.matchAll(pattern), ({ index, 0: found }) => ({
    from: index,
    to: index + found.length,
    shown: write(found),
  }))
