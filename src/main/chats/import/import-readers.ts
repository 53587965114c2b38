import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { removeTree } from '../../lib/removal/remove-tree.ts'
import { entryPath } from '../../lib/disk/shipped-files.ts'
import { runInThread } from '../../threads/start-thread.ts'
import { type ImportBatch, type ImportCount, batchesOf, countImport } from './import-batches.ts'
import type { ImportJob } from './import-worker.ts'
import { openImport } from './open-import.ts'

/** Where to put copies, under the import's own name, and the time for pieces without one. */
type Where = { scratch: string; id: string; now: number }

/** Reads a path. Both methods throw a `bad_input` Fault if it cannot be imported. */
export type ImportReader = {
  count(path: string, where: Where, signal: AbortSignal): Promise<ImportCount>
  /** Yield the contents in batches, in order. One batch is read ahead. */
  read(path: string, where: Where, signal: AbortSignal): AsyncIterable<ImportBatch>
}

/** Reads in a separate thread, so that nothing else has to wait. */
export const threadReader: ImportReader = { count: countInThread, read: readInThread }

async function countInThread(path: string, where: Where, signal: AbortSignal): Promise<ImportCount> {
  for await (const count of follow<ImportCount>('count', path, where, signal)) return count
  throw new Error('The thread ended without a count.')
}

async function* readInThread(path: string, where: Where, signal: AbortSignal): AsyncGenerator<ImportBatch> {
  yield* follow<ImportBatch>('read', path, where, signal)
}

async function* follow<T>(
  what: ImportJob['what'],
  path: string,
  { scratch, id, now }: Where,
  signal: AbortSignal,
): AsyncGenerator<T> {
  // A thread that is ended early cannot tidy up, so its copies get their own folder.
  const own = join(scratch, id)
  const job: ImportJob = { what, path, scratch: own, now }
  try {
    yield* runInThread<T>(entryPath('import-worker'), job, signal, { cleaningMs: 0 })
  } finally {
    await removeTree(own)
  }
}

/** Reads without a thread, because starting one takes longer than reading a small import. */
export const hereReader: ImportReader = {
  count: async (path, { scratch, now }, signal) =>
    countImport(await openImport(path, { scratch, now: () => now }), signal),
  async *read(path, { scratch, now }, signal) {
    yield* batchesOf(await openImport(path, { scratch, now: () => now }), signal)
  },
}

/** Maximum bytes and files that can be read in a few ms. */
const SMALL = 1_000_000
const MAX_FILES = 50

/** Return whether a path is too small to need a thread. A zip may hold a thousand times its own size. */
export async function isSmallImport(path: string): Promise<boolean> {
  try {
    const stats = await stat(path)
    if (!stats.isDirectory()) return stats.size <= SMALL && !/\.zip$/i.test(path)
    const names = await readdir(path)
    if (names.length > MAX_FILES) return false
    const files = await Promise.all(names.map(name => stat(join(path, name))))
    return files.reduce((sum, { size }) => sum + size, 0) <= SMALL
  } catch {
    // Its reader will report what is wrong.
    return true
  }
}
