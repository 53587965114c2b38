import { setTimeout as sleep } from 'node:timers/promises'
import type { DataProgress } from '../../shared/contract/data.ts'

const EVERY_MS = 100

/** Reports the progress of one piece of work, at most ten times a second. */
export type Progress = {
  /** Report progress; `share` is the finished part of the step, 0 to 1. */
  tell(step: DataProgress['step'], share: number): void
  /** Yield the reports until the work ends; then throw its error, if it failed. */
  until(work: Promise<unknown>): AsyncGenerator<DataProgress>
}

export function createProgress(): Progress {
  let latest: DataProgress | undefined
  return {
    tell(step, share) {
      latest = { type: 'progress', step, share: Math.min(1, Math.max(0, share)) }
    },
    async *until(work) {
      const state = { isOver: false }
      const end = () => (state.isOver = true)
      const over = work.then(end, end)
      while (!state.isOver) {
        await Promise.race([over, sleep(EVERY_MS, undefined, { ref: false })])
        if (latest) yield latest
        latest = undefined
      }
      await work
    },
  }
}
