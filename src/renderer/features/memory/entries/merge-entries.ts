import type { MemoryEntry } from '../../../../shared/contract/learned/memory.ts'
import { wordSimilarity } from '../../../../shared/text/word-similarity.ts'
import { isIn, type Place } from '../memory-state.ts'

/** Minimum share of common words for two entries to count as similar. */
const ALIKE = 0.4

/** Maximum number of suggestions shown. */
const MOST = 3

/** Entries similar to this one, most similar first; up to three. */
export const similarTo = (entry: MemoryEntry, entries: readonly MemoryEntry[]): MemoryEntry[] =>
  entries
    .filter(other => other.id !== entry.id)
    .map(other => ({ other, alike: wordSimilarity(entry.text, other.text) }))
    .filter(({ alike }) => alike >= ALIKE)
    .toSorted((a, b) => b.alike - a.alike)
    .slice(0, MOST)
    .map(({ other }) => other)

/** Two similar entries. The locked one is kept, otherwise the earlier one. */
export type Pair = { kept: MemoryEntry; other: MemoryEntry }

/** Merge candidates of a file, most similar first. Each entry appears once; up to three pairs. */
export function similarPairs(entries: readonly MemoryEntry[], place: Place): Pair[] {
  const own = entries.filter(entry => isIn(entry, place))
  const pairs = own
    .flatMap((a, at) => own.slice(at + 1).map(b => ({ a, b, alike: wordSimilarity(a.text, b.text) })))
    .filter(({ alike }) => alike >= ALIKE)
    .toSorted((one, two) => two.alike - one.alike)
  const used = new Set<string>()
  const found: Pair[] = []
  for (const { a, b } of pairs) {
    if (used.has(a.id) || used.has(b.id)) continue
    used.add(a.id).add(b.id)
    found.push(b.locked && !a.locked ? { kept: b, other: a } : { kept: a, other: b })
  }
  return found.slice(0, MOST)
}

/** The initial text of a merge. If one text contains the other, the longer one is used. */
export function joinTexts(text: string, other: string): string {
  const [longer, shorter] = text.length >= other.length ? [text, other] : [other, text]
  return longer.toLowerCase().includes(shorter.toLowerCase()) ? longer : `${text}\n${other}`
}
