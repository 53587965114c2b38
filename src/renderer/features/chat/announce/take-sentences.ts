import { speakMarkdown } from './speak-markdown.ts'

/** The end of a sentence: a full stop followed by a space, a mark that needs no space, or a line break. */
const ENDS = /[.!?…](?=["'”’)\]]*\s)["'”’)\]]*|[。！？]|\n/gu

/**
 * Return the complete sentences of a growing text from `from` on, as a screen reader says them. Pass the returned `upTo` as the next
 * `from`. `all` also takes an unfinished sentence at the end.
 */
export function takeSentences(text: string, from: number, all = false): { text: string; upTo: number } {
  const rest = text.slice(from)
  let end = all ? rest.length : 0
  if (!all) for (const match of rest.matchAll(ENDS)) end = match.index + match[0].length
  const said = end === 0 ? '' : speakMarkdown(rest.slice(0, end), text.slice(0, from))
  return { text: said, upTo: from + end }
}
