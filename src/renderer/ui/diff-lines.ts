/** A stretch of lines that both texts have, or that one text has in place of the other's. */
export type LinesPart = { same: string[] } | { before: string[]; after: string[] }

/** Texts whose changed middles have more pairs of lines than this are shown as one that went and one that came. */
const MOST_PAIRS = 4_000_000

/** What changed between two texts, line by line, in reading order. */
export function diffLines(before: string, after: string): LinesPart[] {
  const [old, now] = [before.split('\n'), after.split('\n')]
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start++
  const most = Math.min(old.length, now.length) - start
  let end = 0
  while (end < most && old.at(-1 - end) === now.at(-1 - end)) end++

  const parts: LinesPart[] = []
  const same = (lines: readonly string[]) => {
    if (lines.length === 0) return
    const last = parts.at(-1)
    if (last && 'same' in last) last.same.push(...lines)
    else parts.push({ same: [...lines] })
  }
  const changed = (before: readonly string[], after: readonly string[]) => {
    if (before.length + after.length === 0) return
    const last = parts.at(-1)
    if (last && 'before' in last) {
      last.before.push(...before)
      last.after.push(...after)
    } else parts.push({ before: [...before], after: [...after] })
  }
  same(old.slice(0, start))
  compare(old.slice(start, old.length - end), now.slice(start, now.length - end), same, changed)
  same(old.slice(old.length - end))
  return parts
}

/** The longest common row of lines stays; everything else went or came. */
function compare(
  old: readonly string[],
  now: readonly string[],
  same: (lines: readonly string[]) => void,
  changed: (before: readonly string[], after: readonly string[]) => void,
) {
  if (old.length * now.length > MOST_PAIRS) return changed(old, now)
  const width = now.length + 1
  // At `i * width + j`: the length of the longest common row of `old` from i and `now` from j.
  const common = new Uint32Array((old.length + 1) * width)
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      common[i * width + j] =
        old[i] === now[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!)
  let [i, j] = [0, 0]
  while (i < old.length && j < now.length) {
    if (old[i] === now[j]) {
      same([old[i]!])
      i++
      j++
    } else if (common[(i + 1) * width + j]! >= common[i * width + j + 1]!) changed([old[i++]!], [])
    else changed([], [now[j++]!])
  }
  changed(old.slice(i), now.slice(j))
}

/** Lines that stay to be seen around a change. */
const AROUND = 3

export type Folded = { lines: string[] } | { hidden: number } | { before: string[]; after: string[] }

/** A difference with long stretches that stayed the same folded away. */
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
