import { setTimeout as sleep } from 'node:timers/promises'
import { entryPath } from '../lib/shipped-files.ts'
import { runInThread } from '../threads/in-thread.ts'
import type { DataJob, ItemOf, JobOf, Works } from './data-thread.ts'
import type { DataProgress } from '../../shared/contract/data.ts'

/** Do long work in a thread, such as `workOnData` does. */
export type RunWork = typeof workOnData

/** Let work wait for earlier work to end, with its cleaning: two backups of one home would be in each other's way. */
export function oneAtATime(run: RunWork): RunWork {
  let last = Promise.resolve()
  return async function* (work, job, signal) {
    const before = last
    const ended = Promise.withResolvers<void>()
    last = before.then(() => ended.promise)
    try {
      await before
      yield* run(work, job, signal)
    } finally {
      ended.resolve()
    }
  }
}

/** Do long work in a separate thread. Leaving the loop or aborting `signal` stops it. Throws the Fault of the work. */
export const workOnData = <W extends keyof Works>(
  work: W,
  job: JobOf<W>,
  signal: AbortSignal,
): AsyncGenerator<ItemOf<W>> => {
  const given: DataJob = { work, job }
  return runInThread(entryPath('data-thread'), given, signal)
}

const EVERY_MS = 100

/** The progress of one piece of work: reported as often as it moves, passed on ten times a second. */
export type Progress = {
  /** `share` of the step that is done, 0 to 1. */
  tell(step: DataProgress['step'], share: number): void
  /** The reports, until the work ends; then its error, if it failed. */
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
