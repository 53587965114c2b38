/** The share of words that two texts have in common, from 0 to 1. */
export function wordSimilarity(a: string, b: string): number {
  const [left, right] = [wordsIn(a), wordsIn(b)]
  if (left.size + right.size === 0) return a === b ? 1 : 0
  const shared = [...left].filter(word => right.has(word)).length
  return (2 * shared) / (left.size + right.size)
}

const wordsIn = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
