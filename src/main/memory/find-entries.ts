import type { MemoryEntry } from '../../shared/contract/learned/memory.ts'
import { findPattern } from '../../shared/text/find-pattern.ts'
import { similarity } from '../lib/words/similarity.ts'

/** Entries to name where none holds all of the words. */
const MOST_NEAREST = 5
/** From here on, two words with one first letter count as one that was mistyped. */
const ALIKE = 0.6
/** Words to compare: of what was typed, and of an entry. */
const MOST_TYPED = 20
const MOST_COMPARED = 300

/** Entries that hold all of some words, and where there are none, those that come closest. */
type FoundEntries = { found: MemoryEntry[]; nearest: MemoryEntry[] }

/**
 * The entries that hold all of the words, as a search in a chat would find each: in any case, with ß as ss and ü as ue.
 * Where none does, the nearest ones are named, and nothing is chosen among them.
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

/** A word that was typed, with what finds it. */
type Wanted = { word: string; pattern: RegExp | undefined }

/** Quotes and full stops around a word belong to the sentence that it was typed in. */
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

/** How many of the words a text holds, where a mistyped one counts for less; words of a letter or two are no sign. */
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
