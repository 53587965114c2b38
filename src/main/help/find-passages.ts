import { MOST_PASSAGES, type HelpPassage } from '../../shared/contract/help.ts'
import { tellingWords } from '../../shared/text/telling-words.ts'
import type { HelpDocument } from './open-help.ts'

/** How many letters of an excerpt precede the first found word, and its total length. */
const BEFORE = 40
const LENGTH = 160

/** The weight of a word by its place: in the title of the page, in a heading, or in the text. */
const WEIGHTS = { title: 8, heading: 6, text: 1 }

/** Return the passages with all telling words of a query in page title, heading or text; best first. */
export function findPassages(query: string, pages: readonly HelpDocument[]): HelpPassage[] {
  const words = [...new Set(tellingWords(foldLetters(query)))]
  if (words.length === 0) return []
  const found = pages.flatMap(({ id, title, sections }) => {
    const inTitle = foldLetters(title)
    return sections.flatMap(({ heading, anchor, text }) => {
      const inHeading = foldLetters(heading ?? '')
      const inText = foldLetters(text)
      let score = 0
      for (const word of words) {
        // A page with the word in its title is listed once, by its beginning, not by each heading.
        const isTitle = heading === null && inTitle.includes(word)
        const weight =
          (isTitle ? WEIGHTS.title : 0) +
          (inHeading.includes(word) ? WEIGHTS.heading : 0) +
          (inText.includes(word) ? WEIGHTS.text : 0)
        if (weight === 0 && !inTitle.includes(word)) return []
        score += weight
      }
      if (score === 0) return []
      return [{ score, passage: { id, title, heading, anchor, excerpt: excerptOf(text, inText, words) } }]
    })
  })
  return found
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MOST_PASSAGES)
    .map(({ passage }) => passage)
}

/** Lower-case letters and strip accents. Each letter stays one letter, so that positions stay valid. */
const foldLetters = (text: string): string =>
  text
    .replaceAll(/[^\x20-\x7e]/gu, letter => {
      const plain = letter.normalize('NFKD').replaceAll(/\p{M}/gu, '')
      return plain.length === letter.length ? plain : letter
    })
    .toLowerCase()

/** Return the part of a text around the first query word in it, cut between words. */
function excerptOf(text: string, folded: string, words: readonly string[]): string {
  const places = words.map(word => folded.indexOf(word)).filter(at => at >= 0)
  const at = places.length === 0 ? 0 : Math.min(...places)
  const from = at <= BEFORE ? 0 : text.lastIndexOf(' ', at - BEFORE) + 1
  const end =
    text.length <= from + LENGTH ? text.length : Math.max(text.lastIndexOf(' ', from + LENGTH), at + 1)
  return `${from > 0 ? '… ' : ''}${text.slice(from, end)}${end < text.length ? ' …' : ''}`
}
