import { on } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { Fault } from '../../../shared/rpc.ts'
import { entryPath } from '../../lib/shipped-files.ts'
import type { ImportCount } from './count-import.ts'
import type { ImportBatch } from './import-batches.ts'
import type { ImportJob, ImportNews } from './import-worker.ts'

/** Where copies may be put, under a name of their own, and the time for what has none. */
type Where = { scratch: string; id: string; now: number }

/** Reads what is at a path. Both throw a `bad_input` Fault when it cannot be imported. */
export type ImportReader = {
  count(path: string, where: Where, signal: AbortSignal): Promise<ImportCount>
  /** What there is in batches, in order. One batch is read ahead. */
  read(path: string, where: Where, signal: AbortSignal): AsyncIterable<ImportBatch>
}

/** Reads in a separate thread, so that nothing else waits. */
export const threadReader: ImportReader = { count: countInThread, read: readInThread }

async function countInThread(path: string, where: Where, signal: AbortSignal): Promise<ImportCount> {
  for await (const news of follow('count', path, where, signal))
    if (news.type === 'counted') return news.count
  throw new Error('The thread ended without a count.')
}

async function* readInThread(path: string, where: Where, signal: AbortSignal): AsyncGenerator<ImportBatch> {
  for await (const news of follow('read', path, where, signal)) if (news.type === 'batch') yield news.batch
}

async function* follow(
  what: ImportJob['what'],
  path: string,
  { scratch, id, now }: Where,
  signal: AbortSignal,
): AsyncGenerator<ImportNews> {
  signal.throwIfAborted()
  // A thread that is ended early cannot tidy up, so its copies have their own folder.
  const own = join(scratch, id)
  const job: ImportJob = { what, path, scratch: own, now }
  const thread = new Worker(entryPath('import-worker'), { workerData: job, env: {}, execArgv: [] })
  try {
    for await (const [news] of on(thread, 'message', { signal, close: ['exit'] }) as AsyncIterable<
      [ImportNews]
    >) {
      if (news.type === 'refused') throw new Fault('bad_input', news.text)
      if (news.type === 'end') return
      yield news
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      thread.postMessage('more')
    }
    throw new Error('The thread that reads the import ended early.')
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    await thread.terminate()
    await rm(own, { recursive: true, force: true })
  }
}
