import type { Transferable } from 'node:worker_threads'
import { entryPath } from '../../lib/disk/shipped-files.ts'
import { openThread, ThreadEnded, type Thread } from '../../threads/start-thread.ts'
import type { FileJob } from './file-job-thread.ts'

/** How long an idle thread is kept, in ms. Starting one takes 250 ms, and changes come in bursts. */
const IDLE_MS = 20_000
/** A computing thread cannot be asked to stop, and it has nothing to clean up. */
const CLEANING_MS = 50
const MEMORY_MB = 1_024

type Worker = { thread: Thread<unknown>; timer?: NodeJS.Timeout }
const idle: Worker[] = []

function take(): Worker {
  const kept = idle.pop()
  clearTimeout(kept?.timer)
  const options = { cleaningMs: CLEANING_MS, memoryMb: MEMORY_MB }
  return kept ?? { thread: openThread(entryPath('text-worker'), options) }
}

function giveBack(worker: Worker): void {
  worker.timer = setTimeout(() => {
    idle.splice(0, idle.length, ...idle.filter(each => each !== worker))
    void worker.thread.close()
  }, IDLE_MS).unref()
  idle.push(worker)
}

/**
 * Do one piece of work in a separate thread. Aborting `signal` ends the thread and throws the Fault
 * `cancelled`; a thread that ends unexpectedly throws `ThreadEnded`.
 */
export async function runInFileThread<T>(
  job: FileJob,
  signal: AbortSignal,
  handedOver: readonly Transferable[] = [],
): Promise<T> {
  const worker = take()
  try {
    const outcomes: unknown[] = []
    // Read to the end: leaving the loop early would stop the job, and perhaps the thread.
    for await (const said of worker.thread.run(job, signal, handedOver)) outcomes.push(said)
    if (outcomes.length === 0) throw new ThreadEnded('The thread ended without an outcome.')
    giveBack(worker)
    return outcomes[0] as T
  } catch (error) {
    void worker.thread.close()
    throw error
  }
}
