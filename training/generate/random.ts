/** Random numbers that follow from a seed alone. */
export type Random = {
  /** From 0 up to, but not, 1. */
  next(): number
  /** A whole number from 0 up to, but not, `end`. */
  below(end: number): number
  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number
  chance(share: number): boolean
  pick<T>(list: readonly T[]): T
  /** So many different ones of a list, in random order; all of them when there are fewer. */
  some<T>(list: readonly T[], count: number): T[]
  /** One of the keys, by their weights. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K
}

/** Make a stream of random numbers; equal seeds give equal streams. */
export function createRandom(seed: string): Random {
  let state = hashOf(seed)
  // Mulberry32: small, fast, and good enough for choosing words.
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (end: number) => Math.floor(next() * end)
  const random: Random = {
    next,
    below,
    between: (from, to) => from + below(to - from + 1),
    chance: share => next() < share,
    pick(list) {
      if (list.length === 0) throw new Error('There is nothing to pick from.')
      return list[below(list.length)]!
    },
    some(list, count) {
      const left = [...list]
      const taken: (typeof left)[number][] = []
      while (taken.length < count && left.length > 0) taken.push(left.splice(below(left.length), 1)[0]!)
      return taken
    },
    weighted(weights) {
      const entries = Object.entries<number>(weights) as [keyof typeof weights, number][]
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [key, weight] of entries) {
        left -= weight
        if (left < 0) return key
      }
      return entries.at(-1)![0]
    },
  }
  return random
}

/** A 32-bit FNV-1a hash of a text, with its bits mixed once more. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}
