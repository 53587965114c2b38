/** How fast something comes in, over the last seconds. */
export type SpeedMeter = {
  /** So many bytes are here now. */
  note(bytes: number): void
  /** Bytes a second; null until that can be told. */
  rate(): number | null
}

const windowMs = 5_000
const leastMs = 800

/** Start to measure. */
export function createSpeedMeter(now: () => number): SpeedMeter {
  const seen: { at: number; bytes: number }[] = []
  return {
    note(bytes) {
      const at = now()
      // What began anew is measured anew.
      if (bytes < (seen.at(-1)?.bytes ?? 0)) seen.length = 0
      const last = seen.at(-1)
      if (seen.length > 1 && last && at - last.at < 100) seen.pop()
      seen.push({ at, bytes })
      while (seen.length > 2 && at - seen[1]!.at > windowMs) seen.shift()
    },
    rate() {
      const [first, last] = [seen[0], seen.at(-1)]
      if (!first || !last) return null
      const ms = now() - first.at
      return ms < leastMs ? null : ((last.bytes - first.bytes) / ms) * 1_000
    },
  }
}
