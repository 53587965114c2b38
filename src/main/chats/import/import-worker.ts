import { parentPort, workerData } from 'node:worker_threads'
import { Fault } from '../../../shared/rpc.ts'
import { countImport, type ImportCount } from './count-import.ts'
import { batchesOf, type ImportBatch } from './import-batches.ts'
import { openImport } from './open-import.ts'

/** What the thread does: count what is at a path, or read it. `now` is used for times that the source lacks. */
export type ImportJob = { what: 'count' | 'read'; path: string; scratch: string; now: number }

/** What the thread says. Each batch waits until the one before was asked for. */
export type ImportNews =
  | { type: 'counted'; count: ImportCount }
  | { type: 'batch'; batch: ImportBatch }
  | { type: 'end' }
  | { type: 'refused'; text: string }

// Reading one long chat takes seconds that cannot be divided: JSON is parsed in one piece.
const { what, path, scratch, now } = workerData as ImportJob
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
const say = (news: ImportNews) => parentPort!.postMessage(news)
const never = new AbortController().signal

try {
  const source = await openImport(path, { scratch, now: () => now })
  if (what === 'count') say({ type: 'counted', count: await countImport(source, never) })
  else {
    let asked = Promise.resolve()
    for await (const batch of batchesOf(source, never)) {
      await asked
      asked = new Promise(resolve => void parentPort!.once('message', () => resolve()))
      say({ type: 'batch', batch })
    }
    await asked
  }
  say({ type: 'end' })
} catch (error) {
  if (!(error instanceof Fault)) throw error
  say({ type: 'refused', text: error.message })
}
