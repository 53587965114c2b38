import remend from 'remend'
import { redactText } from '../../../untrusted/redact.ts'
import { cleanTexts } from './clean-texts.ts'
import { readMarkdown } from './read-markdown.ts'
import { plainText, type Block, type RichText } from './rich-text.ts'
import { numberParts, splitBlocks } from './split-rich-text.ts'
import { writeBlocks } from './write-blocks.ts'

/** UTF-16 units of one message. @internal Tests compare with it. */
export const LONGEST_MESSAGE = 4_096
/** Entities of one message; those beyond a hundred are dropped by Telegram. */
const MOST_ENTITIES = 100
/** Units that are left free: for the number of a part, the sign that more follows, and the note that it may be there twice. */
const FREE = 48

/** What is still being written of an answer. @internal Tests compare with it. */
export const MORE = ' …'

/**
 * An answer in Markdown as messages for Telegram: text and entities, never a parse mode. What looks like a key is blacked
 * out, characters that nobody sees are written out, and an answer of several messages has their numbers. `isLive`: more of it
 * follows, so the last word may not be whole and is left out, because half a key is not known as one. `longest`: for captions,
 * which are shorter than messages.
 */
export function writeParts(
  markdown: string,
  { isLive = false, longest = LONGEST_MESSAGE }: { isLive?: boolean; longest?: number } = {},
): RichText[] {
  const source = redactText(isLive ? closeLooks(withoutOpenEnd(markdown)) : markdown)
  const nodes = readMarkdown(source, isLive)
  const blocks: Block[] = nodes ? writeBlocks(nodes) : [{ rich: plainText(source), cut: 'sentences' }]
  const clean = cleanTexts(blocks.map(({ rich }) => rich))
  const room = { units: longest - FREE, entities: MOST_ENTITIES }
  const parts = splitBlocks(
    blocks.map((block, at) => ({ ...block, rich: clean[at] ?? block.rich })),
    room,
  )
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

const FENCE = /^[ \t>]*(?:`{3}|~{3})/gm

/** A growing text as if what is open in its last paragraph were closed, as the window shows it. */
function closeLooks(text: string): string {
  const isInCode = (text.match(FENCE)?.length ?? 0) % 2 === 1
  const start = text.lastIndexOf('\n\n') + 1
  return isInCode
    ? text
    : text.slice(0, start) + remend(text.slice(start), { linkMode: 'text-only', katex: false })
}
