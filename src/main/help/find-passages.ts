import { MOST_PASSAGES, type HelpPassage } from '../../shared/contract/help.ts'
import type { HelpDocument } from './open-help.ts'

/** Letters of an excerpt before the first word that was found, and in all. */
const BEFORE = 40
const LENGTH = 160

/** What a word counts where it stands: in the title of the page, in the heading, or in the text. */
const WEIGHTS = { title: 8, heading: 6, text: 1 }

/** The passages that have all words of a query, in the title of their page, their heading or their text; the best first. */
export function findPassages(query: string, pages: readonly HelpDocument[]): HelpPassage[] {
  const words = [
    ...new Set(
      foldLetters(query)
        .split(/\s+/)
        .filter(word => word !== ''),
    ),
  ]
  if (words.length === 0) return []
  const found = pages.flatMap(({ id, title, sections }) => {
    const inTitle = foldLetters(title)
    return sections.flatMap(({ heading, anchor, text }) => {
      const inHeading = foldLetters(heading ?? '')
      const inText = foldLetters(text)
      let score = 0
      for (const word of words) {
        // A page that has the word in its title is found by its beginning, not by each of its headings.
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

/** Small letters without accents. A letter stays one letter, so that places in the text stay the same. */
const foldLetters = (text: string): string =>
  text
    .replaceAll(/[^\x20-\x7e]/gu, letter => {
      const plain = letter.normalize('NFKD').replaceAll(/\p{M}/gu, '')
      return plain.length === letter.length ? plain : letter
    })
    .toLowerCase()

/** The part of a text around the first word that is in it, cut between words. */
function excerptOf(text: string, folded: string, words: readonly string[]): string {
  const places = words.map(word => folded.indexOf(word)).filter(at => at >= 0)
  const at = places.length === 0 ? 0 : Math.min(...places)
  const from = at <= BEFORE ? 0 : text.lastIndexOf(' ', at - BEFORE) + 1
  const end =
    text.length <= from + LENGTH ? text.length : Math.max(text.lastIndexOf(' ', from + LENGTH), at + 1)
  return `${from > 0 ? '… ' : ''}${text.slice(from, end)}${end < text.length ? ' …' : ''}`
}
