import { diffArrays } from 'diff'
import { similarity } from '../../lib/words/similarity.ts'

/** The old line of a new one. `isSame`: it is unchanged. `isAlike`: most of their words are equal. */
export type Partner = { old: number; isSame: boolean; isAlike: boolean }

const MOST_EDITS = 2_000
const LEAST_ALIKE = 0.5

/** For each new line, find the old line that it was, or the most similar one among those it replaces. */
export function matchLines(olds: readonly string[], nows: readonly string[]): (Partner | undefined)[] {
  const hunks = diffArrays([...olds], [...nows], { maxEditLength: MOST_EDITS })
  const partners: (Partner | undefined)[] = []
  let oldAt = 0
  let removed: number[] = []
  for (const hunk of hunks ?? [
    { value: [...olds], removed: true },
    { value: [...nows], added: true },
  ]) {
    if ('removed' in hunk && hunk.removed) {
      removed = hunk.value.map((_, index) => oldAt + index)
      oldAt += hunk.value.length
    } else if ('added' in hunk && hunk.added) {
      partners.push(...pairUp(hunk.value, removed, olds))
      removed = []
    } else {
      partners.push(...hunk.value.map((_, index) => ({ old: oldAt + index, isSame: true, isAlike: true })))
      oldAt += hunk.value.length
      removed = []
    }
  }
  return partners
}

/** Pair a single line with a single line, else similar lines in order. Added lines may be indented freely. */
function pairUp(
  added: readonly string[],
  removed: readonly number[],
  olds: readonly string[],
): (Partner | undefined)[] {
  const isAlike = (line: string, old: number) => similarity(line.trim(), olds[old]!.trim()) >= LEAST_ALIKE
  const [only] = removed
  if (added.length === 1 && removed.length === 1)
    return [{ old: only!, isSame: false, isAlike: isAlike(added[0]!, only!) }]
  let next = 0
  return added.map(line => {
    for (let at = next; at < removed.length && at < next + 20; at++) {
      const old = removed[at]!
      if (!isAlike(line, old)) continue
      next = at + 1
      return { old, isSame: false, isAlike: true }
    }
    return undefined
  })
}
