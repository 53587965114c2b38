import { entryPath } from '../lib/disk/shipped-files.ts'
import { runInThread } from '../threads/start-thread.ts'
import type { DataJob, ItemOf, JobOf, Works } from './data-thread.ts'

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
