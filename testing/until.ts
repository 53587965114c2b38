import { setTimeout as sleep } from 'node:timers/promises'
import { TestRunner, vi, type TestContext } from 'vitest'

/** Poll every few ms until a condition holds. Only the timeout of the test ends the wait. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const { signal } = (TestRunner.getCurrentTest()?.context ?? {}) as Partial<TestContext>
  while (!(await holds())) {
    signal?.throwIfAborted()
    await sleep(5)
  }
}

/** Poll until a check stops throwing. After the timeout, its last error is thrown. */
export const settled = (check: () => void): Promise<void> =>
  vi.waitFor(check, { timeout: 55_000, interval: 5 })

/** Advance a clock made by `vi.useFakeTimers` in small steps until a condition holds. */
export const clockUntil = (holds: () => boolean, stepMs = 100): Promise<void> =>
  until(() => {
    vi.advanceTimersByTime(stepMs)
    return holds()
  })

/** Advance a clock made by `vi.useFakeTimers` by `ms`, with time for system events between the steps. */
export async function clockRuns(ms: number, stepMs = 100): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    vi.advanceTimersByTime(stepMs)
    await new Promise(setImmediate)
  }
}
