import { diffArrays } from 'diff'

/** Text that only the old version has, only the new version has, or both have. */
type DiffPart = { kind: 'same' | 'added' | 'removed'; text: string }

/**
 * Maximum number of edits in a diff. Beyond it, one removal and one addition are shown, because a full diff
 * would take too long.
 */
const MAX_EDITS = 2_000

const words = new Intl.Segmenter(undefined, { granularity: 'word' })

const wordsOf = (text: string) => Array.from(words.segment(text), part => part.segment)

/** The word diff of two texts, in reading order. Removals come before additions. */
export function diffWords(before: string, after: string): DiffPart[] {
  const changes = diffArrays(wordsOf(before), wordsOf(after), { maxEditLength: MAX_EDITS })
  const parts: DiffPart[] = changes?.map(({ added, removed, value }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    text: value.join(''),
  })) ?? [
    { kind: 'removed', text: before },
    { kind: 'added', text: after },
  ]
  return parts.filter(part => part.text !== '')
}

/** Lines that both texts share, or lines of one text that replace lines of the other. */
type LinesPart = { same: string[] } | { before: string[]; after: string[] }

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

/** How many context lines to show around a change. */
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
