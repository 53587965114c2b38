import { wordSimilarity } from '../../shared/word-similarity.ts'

/** The differences after a file was edited elsewhere; numbers are indexes in the old and the new list. */
export type Difference = {
  kept: readonly (readonly [before: number, after: number])[]
  edited: readonly (readonly [before: number, after: number])[]
  removed: readonly number[]
  added: readonly number[]
}

/** Minimum share of common words for two texts to be versions of one entry. */
const SAME = 0.5

/** Compare two lists of entries. Equal texts are the same entry; similar ones count as edited. */
export function compareNotes(before: readonly string[], after: readonly string[]): Difference {
  const kept: [number, number][] = []
  const edited: [number, number][] = []
  const free = new Set(after.keys())
  const open = new Set<number>()
  before.forEach((text, at) => {
    const same = [...free].find(other => after[other] === text)
    if (same === undefined) open.add(at)
    else {
      kept.push([at, same])
      free.delete(same)
    }
  })
  const pairs = [...open]
    .flatMap(at => [...free].map(other => ({ at, other, alike: wordSimilarity(before[at]!, after[other]!) })))
    .filter(({ alike }) => alike >= SAME)
    .toSorted((a, b) => b.alike - a.alike || a.at - b.at || a.other - b.other)
  for (const { at, other } of pairs) {
    if (!open.has(at) || !free.has(other)) continue
    edited.push([at, other])
    open.delete(at)
    free.delete(other)
  }
  return { kept, edited, removed: [...open], added: [...free] }
}
