import { cpus } from 'node:os'

/** Measures how many cores are idle while the engine works. */
export type SpareCores = {
  /** Whether this system reports the idle times of its cores. */
  readonly isKnown: boolean
  /**
   * Return the average number of idle cores since the last call; undefined until the window is long enough.
   * Each call starts a new window.
   */
  count(): number | undefined
  /** Call between two steps to take a sample for `count`. */
  watch(): void
  /** Report a pause of the engine. Idle time during a pause says nothing about the load during work. */
  paused(): void
}

/** Minimum length of a window, in ms. The system counts in steps of up to 16 ms. */
const windowMs = 150
/** Minimum time between samples, in ms. A sample takes a millisecond, and longer with many cores. */
const betweenMs = 50

/** Watch the cores of this computer. */
export function watchCores(
  now: () => number = () => performance.now(),
  idleMs: () => number = () => cpus().reduce((sum, { times }) => sum + times.idle, 0),
): SpareCores {
  let last: { at: number; idle: number } | undefined
  let sum = { ms: 0, idle: 0 }
  return {
    // A sandbox may hide the times.
    isKnown: idleMs() > 0,
    watch() {
      if (last && now() - last.at < betweenMs) return
      const current = { at: now(), idle: idleMs() }
      if (last) sum = { ms: sum.ms + current.at - last.at, idle: sum.idle + current.idle - last.idle }
      last = current
    },
    count() {
      if (sum.ms < windowMs) return undefined
      const spare = sum.idle / sum.ms
      sum = { ms: 0, idle: 0 }
      return spare
    },
    paused: () => void (last = undefined),
  }
}
