import { diffArrays } from 'diff'
import { MAX_EDITS } from './word-diff.ts'

/** Lines that both texts share, or lines of one text that replace lines of the other. */
export type LinesPart = { same: string[] } | { before: string[]; after: string[] }

/** The line diff of two texts, in reading order. */
export function diffLines(before: string, after: string): LinesPart[] {
  const [old, now] = [before.split('\n'), after.split('\n')]
  const changes = diffArrays(old, now, { maxEditLength: MAX_EDITS })
  if (!changes) return [{ before: old, after: now }]
  const parts: LinesPart[] = []
  for (const { added, removed, value } of changes) {
    const last = parts.at(-1)
    if (!added && !removed) parts.push({ same: value })
    else if (last && 'before' in last) last[added ? 'after' : 'before'].push(...value)
    else parts.push({ before: added ? [] : value, after: added ? value : [] })
  }
  return parts
}

/** Context lines around a change. */
const AROUND = 3

export type Folded = { lines: string[] } | { hidden: number } | { before: string[]; after: string[] }

/** Collapses long unchanged runs of a diff. */
export function foldSame(parts: readonly LinesPart[]): Folded[] {
  return parts.flatMap((part, index): Folded[] => {
    if (!('same' in part)) return [part]
    const head = index === 0 ? 0 : AROUND
    const tail = index === parts.length - 1 ? 0 : AROUND
    const hidden = part.same.length - head - tail
    if (hidden <= 1 || parts.length === 1) return [{ lines: part.same }]
    return [
      ...(head > 0 ? [{ lines: part.same.slice(0, head) }] : []),
      { hidden },
      ...(tail > 0 ? [{ lines: part.same.slice(-tail) }] : []),
    ]
  })
}
