import remend from 'remend'
import { redactText } from '../../../untrusted/redact.ts'
import { cleanTexts } from './clean-texts.ts'
import { readMarkdown } from './read-markdown.ts'
import { plainText, type Block, type RichText } from './rich-text.ts'
import { numberParts, splitBlocks } from './split-rich-text.ts'
import { writeBlocks } from './write-blocks.ts'

/** Maximum length of one message in UTF-16 units. @internal Tests compare with it. */
export const LONGEST_MESSAGE = 4_096
/** Maximum number of entities in a message; Telegram drops those beyond a hundred. */
const MOST_ENTITIES = 100
/** Units to keep free: for the part number, the sign that more follows, and the note about a copy. */
const FREE = 48

/** Ends an answer that is still being written. @internal Tests compare with it. */
export const MORE = ' …'

/**
 * Convert a Markdown answer to Telegram messages: text and entities, never a parse mode. Keys are redacted,
 * hidden characters written out, and several messages are numbered. `isLive`: more will follow, so the last
 * word is left out, because half a key would not be recognised. `longest`: for captions, which are shorter
 * than messages.
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

/** The last word, which may not be complete, or digits that may become a card number. */
const OPEN_END = /(?:[\x21-\x7e]{1,4000}|\d[\d \t.-]{1,60})$/

/** Words that announce a recovery phrase, whose first words alone look like any others. */
const PHRASE = /phrase|mnemonic|\bseed|wallet|frase|wiederherstell|助记词|фраза/gi
/** Maximum length of the words of a recovery phrase. */
const LONGEST_PHRASE = 300

/** Cut a growing text where its meaning is no longer certain. */
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

/** Close the open formatting in the last paragraph of a growing text, as the window does. */
function closeLooks(text: string): string {
  const isInCode = (text.match(FENCE)?.length ?? 0) % 2 === 1
  const start = text.lastIndexOf('\n\n') + 1
  return isInCode
    ? text
    : text.slice(0, start) + remend(text.slice(start), { linkMode: 'text-only', katex: false })
}
