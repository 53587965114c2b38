import { BLACK, holdsSecret, redactText, secretSpans } from '../../../lib/redact.ts'
import { writtenSpans } from '../../../../shared/visible-text/show-hidden.ts'
import { readMarkdown } from './read-markdown.ts'
import {
  markCode,
  plainText,
  replaceSpans,
  type Replacement,
  type Block,
  type RichText,
} from './rich-text.ts'
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

/** What is said before the words of a recovery phrase, of which the first ones alone look like any words. */
const PHRASE = /phrase|mnemonic|\bseed|wallet|frase|wiederherstell|助记词|фраза/gi
/** The words of a recovery phrase take no more than this. */
const LONGEST_PHRASE = 300

/** A growing text up to where it is sure what it says. */
function withoutOpenEnd(text: string): string {
  const end = OPEN_END.exec(text.slice(-4_000))?.[0].length ?? 0
  const tail = Math.max(0, text.length - LONGEST_PHRASE)
  const [phrase] = [...text.slice(tail).matchAll(PHRASE)]
  const shown = text.slice(
    0,
    Math.min(text.length - end, phrase ? tail + phrase.index + phrase[0].length : Infinity),
  )
  return shown.trimEnd()
}

/** Marks that Telegram removes, with the letter before them: a ring, which may be a part of it, and lines. */
const REMOVED_MARKS = /(?:\p{L}\p{M}{0,8})?[\u030a\u0333\u033f]\p{M}{0,8}/gu

/** A text that arrives as it was sent: without tabs, which become single blanks, and with what is hidden written out. */
function cleanText(rich: RichText, mayHoldSecret: boolean): RichText {
  let clean = replaceSpans(
    rich,
    spansOf(rich.text, /\t/g, () => '    '),
  )
  if (/[\u030a\u0333\u033f]/.test(clean.text))
    clean = replaceSpans(clean, spansOf(clean.text, REMOVED_MARKS, withoutMarks))
  if (mayHoldSecret)
    clean = replaceSpans(
      clean,
      secretSpans(clean.text).map(span => ({ ...span, shown: BLACK })),
    )
  clean = replaceSpans(clean, writtenSpans(clean.text))
  for (const { index, 0: found } of clean.text.matchAll(ACTIONS))
    clean = markCode(clean, index, index + found.length)
  return clean
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
