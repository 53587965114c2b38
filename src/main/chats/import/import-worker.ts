import { workInThread } from '../../threads/inside-thread.ts'
import { batchesOf, type ImportBatch, countImport, type ImportCount } from './import-batches.ts'
import { openImport } from './open-import.ts'

/** What the thread does: count what is at a path, or read it. `now` is used for times that the source lacks. */
export type ImportJob = { what: 'count' | 'read'; path: string; scratch: string; now: number }

const never = new AbortController().signal

// Reading one long chat takes seconds that cannot be divided: JSON is parsed in one piece. So the thread is ended, not asked.
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
