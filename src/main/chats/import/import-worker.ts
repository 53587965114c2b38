import { workInThread } from '../../threads/inside-thread.ts'
import { batchesOf, type ImportBatch, countImport, type ImportCount } from './import-batches.ts'
import { openImport } from './open-import.ts'

/** A job of the thread: count or read the contents of a path. `now` replaces times that the source lacks. */
export type ImportJob = { what: 'count' | 'read'; path: string; scratch: string; now: number }

const never = new AbortController().signal

// Parsing one long chat takes seconds and cannot be split, so the thread is terminated, not asked to stop.
workInThread(async function* ({
  what,
  path,
  scratch,
  now,
}: ImportJob): AsyncGenerator<ImportCount | ImportBatch> {
  const source = await openImport(path, { scratch, now: () => now })
  if (what === 'count') yield await countImport(source, never)
  else yield* batchesOf(source, never)
})
