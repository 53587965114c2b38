import type { MemoryEntry } from '../../shared/contract/learned/memory.ts'
import { findPattern } from '../../shared/text/find-pattern.ts'
import { similarity } from '../lib/words/similarity.ts'

/** Maximum number of nearest entries to name if no entry contains all words. */
const MOST_NEAREST = 5
/** Minimum similarity for two words with the same first letter to count as a misspelling. */
const ALIKE = 0.6
/** Maximum number of words to compare: of the search, and of an entry. */
const MOST_TYPED = 20
const MOST_COMPARED = 300

/** Entries that contain all words, or if there are none, the nearest entries. */
type FoundEntries = { found: MemoryEntry[]; nearest: MemoryEntry[] }

/**
 * Find the entries that contain all words, each matched as in a search of a chat: in any case, with ß as ss
 * and ü as ue. If there are none, return the nearest entries, without choosing among them.
 */
export function findEntries(entries: readonly MemoryEntry[], typed: string): FoundEntries {
  const words = wordsOf(typed).map(word => ({ word: word.toLowerCase(), pattern: findPattern(word) }))
  if (words.length === 0) return { found: [], nearest: [] }
  const texts = entries.map(entry => ({ entry, text: entry.text.normalize('NFC') }))
  const found = texts.filter(({ text }) => words.every(word => isHeld(text, word))).map(({ entry }) => entry)
  if (found.length > 0) return { found, nearest: [] }
  const compared = words.slice(0, MOST_TYPED)
  const nearest = texts
    .map(({ entry, text }) => ({ entry, score: closeness(text, compared) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MOST_NEAREST)
    .map(({ entry }) => entry)
  return { found, nearest }
}

/** A search word and its pattern. */
type Wanted = { word: string; pattern: RegExp | undefined }

/** The words of a search, without quotes and punctuation around them. */
const wordsOf = (typed: string): string[] =>
  typed
    .normalize('NFC')
    .split(/\s+/u)
    .map(
      word =>
        word.replace(/^["“”„'‘’«»(]+/u, '').replace(/(?<!["“”'‘’«»).,;:!?])["“”'‘’«»).,;:!?]+$/u, '') || word,
    )
    .filter(word => word !== '')

const isHeld = (text: string, { pattern }: Wanted): boolean =>
  pattern !== undefined && text.search(pattern) >= 0

/** How many of the words a text contains. Misspelt words count less, very short words not at all. */
function closeness(text: string, words: readonly Wanted[]): number {
  const own = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const likenessOf = (wanted: Wanted) => {
    const { word } = wanted
    if (word.length < 3) return 0
    if (isHeld(text, wanted)) return 1
    const alike = own.slice(0, MOST_COMPARED).filter(each => each[0] === word[0])
    const best = Math.max(0, ...alike.map(each => similarity(word, each)))
    return best < ALIKE ? 0 : best
  }
  return words.reduce((sum, word) => sum + likenessOf(word), 0)
}
