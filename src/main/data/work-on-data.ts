import { entryPath } from '../lib/disk/shipped-files.ts'
import { runInThread } from '../threads/start-thread.ts'
import type { DataJob, ItemOf, JobOf, Works } from './data-thread.ts'

/** Run long work in a thread, as `workOnData` does. */
export type RunWork = typeof workOnData

/** Let each job wait for the end of the previous one: two backups of one home would collide. */
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

/** Run long work in a separate thread; leaving the loop or aborting `signal` stops it. Throws its Fault. */
export const workOnData = <W extends keyof Works>(
  work: W,
  job: JobOf<W>,
  signal: AbortSignal,
): AsyncGenerator<ItemOf<W>> => {
  const given: DataJob = { work, job }
  return runInThread(entryPath('data-thread'), given, signal)
}
