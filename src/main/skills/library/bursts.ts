/**
 * A call that is made once for many wishes: when none came for `quiet` milliseconds, and not later than `most` after the
 * first. It keeps no process alive.
 */
export function inBursts(
  act: () => void,
  { quiet, most }: { quiet: number; most: number },
): { wish(): void; end(): void } {
  let timer: NodeJS.Timeout | undefined
  let since = 0
  const run = () => {
    timer = undefined
    act()
  }
  return {
    wish() {
      const now = performance.now()
      if (timer === undefined) since = now
      clearTimeout(timer)
      timer = setTimeout(run, Math.max(0, Math.min(quiet, since + most - now))).unref()
    },
    end() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
