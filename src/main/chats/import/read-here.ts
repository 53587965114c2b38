import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { countImport } from './count-import.ts'
import { batchesOf } from './import-batches.ts'
import { openImport } from './open-import.ts'
import type { ImportReader } from './read-in-thread.ts'

/** Reads without a thread, which takes longer to start than a small import takes to be read. */
export const hereReader: ImportReader = {
  count: async (path, { scratch, now }, signal) =>
    countImport(await openImport(path, { scratch, now: () => now }), signal),
  async *read(path, { scratch, now }, signal) {
    yield* batchesOf(await openImport(path, { scratch, now: () => now }), signal)
  },
}

/** Bytes that are read in a few ms. */
const SMALL = 1_000_000
const MAX_FILES = 50

/** Whether what is at a path takes so little that no thread is worth it. A zip may hold a thousand times its size. */
export async function isSmallImport(path: string): Promise<boolean> {
  try {
    const stats = await stat(path)
    if (!stats.isDirectory()) return stats.size <= SMALL && !/\.zip$/i.test(path)
    const names = await readdir(path)
    if (names.length > MAX_FILES) return false
    const files = await Promise.all(names.map(name => stat(join(path, name))))
    return files.reduce((sum, { size }) => sum + size, 0) <= SMALL
  } catch {
    // Its reader says what is wrong with it.
    return true
  }
}
