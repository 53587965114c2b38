import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileErrorCode } from '../lib/expected-errors.ts'
import { removeTree } from '../lib/removal/remove-tree.ts'

/** Limits for the private temporary folders of chats: their age since the last use, and their total size. */
const MAX_AGE_MS = 7 * 24 * 3_600_000
const MAX_BYTES = 5 * 2 ** 30

/** The folder that commands of a chat see as `/tmp`. */
export const temporaryFolder = (cache: string, sessionId = ''): string => join(cache, 'tmp', sessionId)

type Kept = { path: string; usedAt: number; bytes: number }

/**
 * Delete the temporary folders of deleted chats, then those not used for a week, then the oldest until the
 * rest takes at most 5 GB. Call this at startup, before any command runs. Failures are retried at the next
 * startup.
 */
export async function cleanTemporary(
  cache: string,
  isKnown: (sessionId: string) => boolean,
  now = Date.now(),
  maxBytes = MAX_BYTES,
): Promise<void> {
  const folder = temporaryFolder(cache)
  const kept: Kept[] = []
  for (const name of await namesIn(folder)) {
    const path = join(folder, name)
    const use = isKnown(name) ? await measureFolder(path) : undefined
    if (use && now - use.usedAt <= MAX_AGE_MS) kept.push({ path, ...use })
    else await removeTree(path)
  }
  let total = kept.reduce((sum, { bytes }) => sum + bytes, 0)
  for (const { path, bytes } of kept.toSorted((a, b) => a.usedAt - b.usedAt)) {
    if (total <= maxBytes) return
    await removeTree(path)
    total -= bytes
  }
}

/** Measure the size of a folder on disk and when anything in it was last changed. Links are not followed. */
async function measureFolder(root: string): Promise<Omit<Kept, 'path'>> {
  let bytes = 0
  let usedAt = 0
  const waiting = [root]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const stats = await lstat(path).catch(ignoreFileError)
    if (!stats) continue
    bytes += stats.isFile() ? stats.blocks * 512 : 0
    usedAt = Math.max(usedAt, stats.mtimeMs)
    const at = path
    if (stats.isDirectory()) waiting.push(...(await namesIn(path)).map(name => join(at, name)))
  }
  return { bytes, usedAt }
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(ignoreFileError)) ?? []
}

/** Ignore errors of files deleted meanwhile and of folders that a command closed. Others are bugs. */
function ignoreFileError(error: unknown): undefined {
  fileErrorCode(error)
  return undefined
}
