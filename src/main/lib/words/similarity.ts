/** Maximum length to compare: of a text, and of a name. */
const LONGEST_TEXT = 100
const LONGEST_NAME = 80
/** Share of a name's letters that may differ. */
const SHARE = 1 / 3

/** Return the similarity of two short texts: 1 minus (edit distance / longer length). */
export function similarity(a: string, b: string): number {
  const [left, right] = [a.slice(0, LONGEST_TEXT), b.slice(0, LONGEST_TEXT)]
  const longer = Math.max(left.length, right.length)
  return longer === 0 ? 1 : 1 - editDistance(left, right) / longer
}

/** Return the candidates with a similarity of at least `least`, best first. */
export const nearestNames = (wanted: string, candidates: readonly string[], least: number): string[] =>
  candidates
    .map(name => ({ name, score: similarity(wanted.toLowerCase(), name.toLowerCase()) }))
    .filter(({ score }) => score >= least)
    .toSorted((a, b) => b.score - a.score)
    .map(({ name }) => name)

/** Return a name in lower case, with one kind of separator between words. */
export const looseName = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_.-]+/gu, '-')
    .replace(/^-|-$/g, '')

/** Return the names of several words most similar to `wanted`, best first, at most `most`. */
export function nearNames(wanted: string, names: readonly string[], most: number): string[] {
  const loose = looseName(wanted).slice(0, LONGEST_NAME)
  const words = new Set(loose.split('-'))
  return names
    .map(name => ({ name, distance: distanceBetween(loose, words, looseName(name).slice(0, LONGEST_NAME)) }))
    .filter(({ distance }) => distance <= SHARE)
    .toSorted((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, most)
    .map(({ name }) => name)
}

/** Return a distance from 0 (the same) to 1. Shared whole words count as much as shared letters. */
function distanceBetween(wanted: string, words: ReadonlySet<string>, name: string): number {
  const others = name.split('-')
  const shared = others.filter(word => word.length > 2 && words.has(word)).length
  const byWords = 1 - shared / Math.min(words.size, others.length)
  const longer = Math.max(wanted.length, name.length)
  if (Math.abs(wanted.length - name.length) > longer * SHARE) return byWords
  return Math.min(byWords, longer === 0 ? 0 : editDistance(wanted, name, { swaps: true }) / longer)
}

/**
 * Count the letters to change, add or drop to turn one text into the other. With `swaps`, exchanging two
 * neighbours is one step instead of two.
 */
function editDistance(a: string, b: string, { swaps = false } = {}): number {
  let above: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let least = Math.min(row[j - 1]! + (same ? 0 : 1), row[j]! + 1, next[j - 1]! + 1)
      const isSwap = swaps && i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (isSwap) least = Math.min(least, above[j - 2]! + 1)
      next.push(least)
    }
    above = row
    row = next
  }
  return row[b.length]!
}

/** Minimum length; shorter words are too often other real words. */
const SHORTEST = 6

/** Return whether one letter of a known word is missing, doubled, wrong or swapped; the first must match. */
export function isOneMistake(word: string, known: string): boolean {
  if (word[0] !== known[0] || known.length < SHORTEST || Math.abs(word.length - known.length) > 1)
    return false
  let at = 0
  while (at < known.length && word[at] === known[at]) at++
  const rest = (text: string, from: number) => text.slice(from)
  if (word.length === known.length) {
    const isSwap = word[at] === known[at + 1] && word[at + 1] === known[at]
    return (
      rest(word, at + 1) === rest(known, at + 1) || (isSwap && rest(word, at + 2) === rest(known, at + 2))
    )
  }
  return word.length < known.length
    ? rest(word, at) === rest(known, at + 1)
    : rest(word, at + 1) === rest(known, at)
}
