/** Longer texts that differ in more lines than this are not merged. */
const MOST_LINES = 3_000

type Hunk = { from: number; to: number; lines: readonly string[] }

/**
 * Bring two changes of one text together; undefined when both changed the same lines, or lines that touch. `base` is what
 * both began with.
 */
export function mergeLines({
  base,
  ours,
  theirs,
}: {
  base: string
  ours: string
  theirs: string
}): string | undefined {
  const lines = split(base)
  const mine = hunksOf(lines, split(ours))
  const other = hunksOf(lines, split(theirs))
  if (!mine || !other) return undefined
  const isClash = mine.some(a => other.some(b => a.from <= b.to && b.from <= a.to))
  if (isClash) return undefined
  const merged = [...lines]
  // From the end on, so that earlier places stay where they are.
  for (const { from, to, lines: put } of [...mine, ...other].toSorted((a, b) => b.from - a.from))
    merged.splice(from, to - from, ...put)
  return merged.join('')
}

/** The lines of a text with their ends. */
const split = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

/** What replaces which lines of `before` to get `after`; undefined when that is too much to compare. */
function hunksOf(before: readonly string[], after: readonly string[]): Hunk[] | undefined {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let tail = 0
  const most = Math.min(before.length, after.length) - start
  while (tail < most && before.at(-1 - tail) === after.at(-1 - tail)) tail++
  const old = before.slice(start, before.length - tail)
  const fresh = after.slice(start, after.length - tail)
  if (old.length > MOST_LINES || fresh.length > MOST_LINES) return undefined

  const common = longestCommon(old, fresh)
  const hunks: Hunk[] = []
  let [at, put] = [0, 0]
  for (const [i, j] of [...common, [old.length, fresh.length] as const]) {
    if (i > at || j > put) hunks.push({ from: start + at, to: start + i, lines: fresh.slice(put, j) })
    ;[at, put] = [i + 1, j + 1]
  }
  return hunks
}

/** The places of a longest row of lines that both have, in order. */
function longestCommon(a: readonly string[], b: readonly string[]): (readonly [number, number])[] {
  const width = b.length + 1
  const lengths = new Uint16Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        a[i] === b[j]
          ? lengths[(i + 1) * width + j + 1]! + 1
          : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!)
  const pairs: (readonly [number, number])[] = []
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    if (a[i] === b[j]) pairs.push([i++, j++])
    else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!) i++
    else j++
  }
  return pairs
}
