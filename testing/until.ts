import { setTimeout as sleep } from 'node:timers/promises'
import { TestRunner, vi, type TestContext } from 'vitest'

/** Wait until something holds, looking every few milliseconds. Only the test's own time-out ends it. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const { signal } = (TestRunner.getCurrentTest()?.context ?? {}) as Partial<TestContext>
  while (!(await holds())) {
    signal?.throwIfAborted()
    await sleep(5)
  }
}

/** Wait until a check complains no more; its last complaint is the error of a test that waits in vain. */
export const settled = (check: () => void): Promise<void> =>
  vi.waitFor(check, { timeout: 55_000, interval: 5 })

/** Let a clock that was made by `vi.useFakeTimers` run, in small steps, until something holds. */
export const clockUntil = (holds: () => boolean, stepMs = 100): Promise<void> =>
  until(() => {
    vi.advanceTimersByTime(stepMs)
    return holds()
  })

/** Let such a clock run for so long, with time for what the system tells between its steps. */
export async function clockRuns(ms: number, stepMs = 100): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    vi.advanceTimersByTime(stepMs)
    await new Promise(setImmediate)
  }
}
