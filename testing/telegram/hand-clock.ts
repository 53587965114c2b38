/** The current time, and a wait that ends early if a signal aborts. */
export type Clock = {
  now(this: void): number
  wait(this: void, ms: number, signal?: AbortSignal): Promise<void>
}

/** A clock that a test moves. */
export type HandClock = Clock & {
  /** Advance the time by `ms`, ending waits in order. */
  advance(ms: number): Promise<void>
  /** Advance only the time, like a sleeping computer: waits continue unchanged. */
  sleep(ms: number): void
  /** How long each wait that has not ended will last. */
  waits(): number[]
}

type Wait = { at: number; end: () => void }

/** A clock that stands still until a test moves it. Other code can run between the ends of two waits. */
export function makeHandClock(start = Date.UTC(2026, 10, 29, 12)): HandClock {
  let time = start
  let slept = 0
  const waits = new Set<Wait>()
  const settle = async () => {
    for (let turn = 0; turn < 5; turn++) await new Promise(resolve => setImmediate(resolve))
  }
  return {
    now: () => time + slept,
    wait: (ms, signal) =>
      new Promise(resolve => {
        const wait: Wait = {
          at: time + ms,
          end: () => {
            waits.delete(wait)
            signal?.removeEventListener('abort', wait.end)
            resolve()
          },
        }
        waits.add(wait)
        if (signal?.aborted) wait.end()
        else signal?.addEventListener('abort', wait.end)
      }),
    async advance(ms) {
      const to = time + ms
      await settle()
      for (;;) {
        const [next] = [...waits].filter(({ at }) => at <= to).toSorted((a, b) => a.at - b.at)
        if (!next) break
        time = Math.max(time, next.at)
        next.end()
        await settle()
      }
      time = to
    },
    sleep: ms => {
      slept += ms
    },
    waits: () => [...waits].map(({ at }) => at - time).toSorted((a, b) => a - b),
  }
}
