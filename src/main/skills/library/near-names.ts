/** Compared length of a name. */
const LONGEST = 80
/** Allowed share of changed letters. */
const SHARE = 1 / 3

/** A name without case, and with one kind of separator between words. */
export const looseName = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_.-]+/gu, '-')
    .replace(/^-|-$/g, '')

/** The names most similar to `wanted`, best first, at most `most`. */
export function nearNames(wanted: string, names: readonly string[], most: number): string[] {
  const loose = looseName(wanted).slice(0, LONGEST)
  const words = new Set(loose.split('-'))
  return names
    .map(name => ({ name, distance: distanceBetween(loose, words, looseName(name).slice(0, LONGEST)) }))
    .filter(({ distance }) => distance <= SHARE)
    .toSorted((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, most)
    .map(({ name }) => name)
}

/** From 0, the same, to 1. Sharing whole words counts as much as sharing letters. */
function distanceBetween(wanted: string, words: ReadonlySet<string>, name: string): number {
  const others = name.split('-')
  const shared = others.filter(word => word.length > 2 && words.has(word)).length
  const byWords = 1 - shared / Math.min(words.size, others.length)
  const longer = Math.max(wanted.length, name.length)
  if (Math.abs(wanted.length - name.length) > longer * SHARE) return byWords
  return Math.min(byWords, longer === 0 ? 0 : editsBetween(wanted, name) / longer)
}

/** Letters to change, add, drop or swap with their neighbour to get from one to the other. */
function editsBetween(a: string, b: string): number {
  let above: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let least = Math.min(row[j - 1]! + (same ? 0 : 1), row[j]! + 1, next[j - 1]! + 1)
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (isSwap) least = Math.min(least, above[j - 2]! + 1)
      next.push(least)
    }
    above = row
    row = next
  }
  return row[b.length]!
}
