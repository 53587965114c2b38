/** A debounced action: `request` schedules it, `cancel` drops what is scheduled. */
export type Debounced = { request(): void; cancel(): void }

/**
 * Run `act` once for many requests: `idleMs` after the last one, but at most `maxMs` after the first. Its timer does not
 * keep the process alive.
 */
export function debounce(act: () => void, { idleMs, maxMs }: { idleMs: number; maxMs: number }): Debounced {
  let timer: NodeJS.Timeout | undefined
  let firstAt = 0
  const run = () => {
    timer = undefined
    act()
  }
  return {
    request() {
      const now = performance.now()
      if (timer === undefined) firstAt = now
      clearTimeout(timer)
      timer = setTimeout(run, Math.max(0, Math.min(idleMs, firstAt + maxMs - now))).unref()
    },
    cancel() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
