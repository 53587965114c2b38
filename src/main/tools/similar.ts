const LONGEST = 100

/** Similarity of two short texts from 0 to 1: one minus the edit distance divided by the longer length. */
export function similarity(a: string, b: string): number {
  const [left, right] = [a.slice(0, LONGEST), b.slice(0, LONGEST)]
  const longer = Math.max(left.length, right.length)
  if (longer === 0) return 1
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let i = 1; i <= left.length; i++) {
    const next = [i]
    for (let j = 1; j <= right.length; j++) {
      const change = row[j - 1]! + (left[i - 1] === right[j - 1] ? 0 : 1)
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return 1 - row[right.length]! / longer
}

/** The candidates with a similarity of at least `least`, best first. */
export const nearest = (wanted: string, candidates: readonly string[], least: number): string[] =>
  candidates
    .map(name => ({ name, score: similarity(wanted.toLowerCase(), name.toLowerCase()) }))
    .filter(({ score }) => score >= least)
    .toSorted((a, b) => b.score - a.score)
    .map(({ name }) => name)
