import { diff3Merge } from 'node-diff3'

/** Maximum number of differing lines to merge, because comparing more takes too long. */
const MAX_LINES = 3_000

/**
 * Merge two changed versions of one text; undefined if both changed the same lines, or adjacent ones. `base`
 * is the text that both versions started from.
 */
export function mergeLines(texts: { base: string; ours: string; theirs: string }): string | undefined {
  const [base, ours, theirs] = [splitLines(texts.base), splitLines(texts.ours), splitLines(texts.theirs)]
  const shortest = Math.min(base.length, ours.length, theirs.length)
  const isSame = (at: number) => ours.at(at) === base.at(at) && theirs.at(at) === base.at(at)
  let start = 0
  while (start < shortest && isSame(start)) start++
  let end = 0
  while (end < shortest - start && isSame(-1 - end)) end++

  const middles = [ours, base, theirs].map(lines => lines.slice(start, lines.length - end))
  if (middles.some(lines => lines.length > MAX_LINES)) return undefined
  const merged: string[] = []
  for (const region of diff3Merge(middles[0]!, middles[1]!, middles[2]!, { excludeFalseConflicts: false })) {
    if (!region.ok) return undefined
    merged.push(...region.ok)
  }
  return [...base.slice(0, start), ...merged, ...base.slice(base.length - end)].join('')
}

/** The lines of a text, each with its line break. */
const splitLines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? []
