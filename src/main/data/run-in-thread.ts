import { on } from 'node:events'
import { Worker } from 'node:worker_threads'
import { Fault } from '../../shared/rpc.ts'
import { entryPath } from '../lib/shipped-files.ts'
import { withinTime } from '../lib/timing.ts'
import type { ItemOf, JobOf, ThreadNews, ThreadWork, Works } from './data-thread.ts'

/** Do long work in a thread, such as `runInThread` does. */
export type RunWork = typeof runInThread

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

/** How long stopped work may clean up, in ms. */
const CLEANING_MS = 5_000

/**
 * Do long work in a separate thread. Leaving the loop or aborting `signal` stops it and waits until it has cleaned up. Throws the
 * Fault of the work.
 */
export async function* runInThread<W extends keyof Works>(
  work: W,
  job: JobOf<W>,
  signal: AbortSignal,
): AsyncGenerator<ItemOf<W>> {
  signal.throwIfAborted()
  const thread = new Worker(entryPath('data-thread'), {
    workerData: { work, job } satisfies ThreadWork,
    execArgv: [],
  })
  const ended = new Promise<void>(resolve => thread.once('exit', () => resolve()))
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  const stop = () => thread.postMessage('stop')
  signal.addEventListener('abort', stop, { once: true })
  try {
    for await (const [news] of on(thread, 'message', { close: ['exit'] }) as AsyncIterable<[ThreadNews]>) {
      if (news.type === 'end') return
      if (news.type === 'fault') throw new Fault(news.code, news.message)
      if (news.type === 'bug') throw new Error(`The data thread failed: ${news.stack}`)
      yield news.item as ItemOf<W>
    }
    throw new Error('The data thread ended early.')
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
    if (!(await withinTime(CLEANING_MS, ended))) await thread.terminate()
  }
}
