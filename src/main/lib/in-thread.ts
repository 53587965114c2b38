import { once } from 'node:events'
import { Worker, type Transferable } from 'node:worker_threads'
import { entryPath, type Entry } from './shipped-files.ts'

/**
 * Run a script in a separate thread and return what it posts first. What is in `handedOver` is moved there instead of
 * copied. Throws the error of the thread.
 */
export async function inThread<T>(
  entry: Entry,
  data: unknown,
  handedOver: readonly Transferable[] = [],
): Promise<T> {
  const worker = new Worker(entryPath(entry), {
    workerData: data,
    transferList: [...handedOver],
    env: {},
    execArgv: [],
  })
  try {
    const [outcome] = (await once(worker, 'message')) as [T]
    return outcome
  } finally {
    await worker.terminate()
  }
}
