/** Measures download speed over the last seconds. */
export type SpeedMeter = {
  /** Record the total number of bytes received. */
  note(bytes: number): void
  /** Return the speed in bytes per second; null while unknown. */
  rate(): number | null
}

const windowMs = 5_000

const leastMs = 800

/** Start measuring. */
export function createSpeedMeter(now: () => number): SpeedMeter {
  const seen: { at: number; bytes: number }[] = []
  return {
    note(bytes) {
      const at = now()
      // After a restart from the beginning, earlier samples do not count.
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
