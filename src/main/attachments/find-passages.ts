import { cutUnspaced, foldText } from '../lib/words/index-words.ts'

/** A part of a document: its page, the offset of its first character there, and its text. */
export type Passage = { page: number; from: number; text: string }
type Page = { n: number; text: string }

/** Maximum length of a passage, in characters. */
const LONGEST = 1_200
/** Words that nearly every question contains. */
const COMMON = new Set(
  `the and for are was were with that this from what which who how why when where does did can could should would will has have had not but
  all any you your our its their them they there here into about than then also file document page please tell say me der die das und ist wie
  was les des une que qui est pour dans`.split(/\s+/),
)

/** Cut pages into passages, at the ends of paragraphs and lines where possible. */
export function cutPassages(pages: readonly Page[]): Passage[] {
  const passages: Passage[] = []
  for (const { n, text } of pages)
    for (let from = 0; from < text.length;) {
      const to = endOf(text, from)
      const piece = text.slice(from, to)
      if (piece.trim() !== '') passages.push({ page: n, from, text: piece })
      from = to
    }
  return passages
}

function endOf(text: string, from: number): number {
  const most = from + LONGEST
  if (most >= text.length) return text.length
  for (const mark of ['\n\n', '\n', '. ', ' ']) {
    const at = text.lastIndexOf(mark, most - mark.length)
    if (at > from + LONGEST / 3) return at + mark.length
  }
  // Do not cut a surrogate pair in half.
  return /[\uD800-\uDBFF]/.test(text[most - 1]!) ? most - 1 : most
}

/** The meaningful words of a text, folded. */
export const tellingWords = (text: string): string[] => [
  ...new Set(
    (cutUnspaced(foldText(text)).match(/[\p{L}\p{N}]{2,}/gu) ?? []).filter(word => !COMMON.has(word)),
  ),
]

/**
 * The passages that contain words of a query, best first. Rare words count more, and several different words
 * count more than a repeated one. A word also matches longer words that begin with it.
 */
export function findPassages(passages: readonly Passage[], query: string, most: number): Passage[] {
  const words = tellingWords(query)
  if (words.length === 0) return []
  const folded = passages.map(
    ({ text }) => ` ${cutUnspaced(foldText(text)).replaceAll(/[^\p{L}\p{N}]+/gu, ' ')}`,
  )
  const weights = words.map(word => {
    const found = folded.filter(text => text.includes(` ${stemOf(word)}`)).length
    return found === 0 ? 0 : Math.log(1 + passages.length / found)
  })
  return folded
    .map((text, at) => ({
      passage: passages[at]!,
      score: words.reduce((sum, word, index) => sum + weights[index]! * countIn(text, ` ${stemOf(word)}`), 0),
    }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, most)
    .map(({ passage }) => passage)
}

/** A stem that lets “invoices” find “invoice”. */
const stemOf = (word: string): string => (word.length > 5 ? word.slice(0, -1) : word)

/** Each repetition counts less. */
function countIn(text: string, word: string): number {
  const count = text.split(word).length - 1
  return count === 0 ? 0 : 1 + Math.log(count) / 4
}
