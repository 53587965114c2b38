import type { Transferable } from 'node:worker_threads'
import { workInThread } from '../../threads/inside-thread.ts'
import { ownBuffer, fileJobs, type FileJobs } from './file-jobs.ts'

/** A job for this thread. */
export type FileJob = { work: keyof FileJobs; given: unknown[] }

workInThread(
  async function* ({ work, given }: FileJob): AsyncGenerator<object | undefined> {
    yield (fileJobs[work] as (...given: unknown[]) => Promise<object | undefined>)(...given)
  },
  // The bytes of a patched file are transferred, not copied.
  (outcome): Transferable[] => (outcome && 'bytes' in outcome ? ownBuffer(outcome.bytes as Uint8Array) : []),
)
