import { cpus } from 'node:os'

/** Tells how many cores have nothing to do while the engine works. */
export type SpareCores = {
  /** Whether this system tells at all. */
  readonly isKnown: boolean
  /** How many there were lately, on average; undefined until they were watched for long enough. Asking begins anew. */
  count(): number | undefined
  /** To be called between two steps, so that `count` gets to know. */
  watch(): void
  /** The engine has paused: what was idle meanwhile says nothing about how it is while it works. */
  paused(): void
}

/** The system counts in steps of up to 16 ms. */
const windowMs = 150
/** Looking takes a millisecond, and more with many cores. */
const betweenMs = 50

/** What a system says that does not tell. */
export const unknownCores: SpareCores = {
  isKnown: false,
  count: () => undefined,
  watch: () => {},
  paused: () => {},
}

/** Watch the cores of this computer. */
export function watchCores(
  now: () => number = () => performance.now(),
  idleMs: () => number = () => cpus().reduce((sum, { times }) => sum + times.idle, 0),
): SpareCores {
  let last: { at: number; idle: number } | undefined
  let sum = { ms: 0, idle: 0 }
  return {
    // A sandbox may show no times.
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
