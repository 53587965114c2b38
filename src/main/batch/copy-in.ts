import { constants } from 'node:fs'
import { copyFile, lstat, mkdir, opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { formatBytes } from '../../shared/text/amounts.ts'
import { fileErrorCode, isNoRoom, reasonOf, type Refusal } from '../lib/expected-errors.ts'

/** Maximum size and number of entries to copy for one attempt. */
const MAX_BYTES = 100_000_000
const MAX_ENTRIES = 50_000
const MAX_DEPTH = 100

/**
 * Copy a folder's contents into an empty folder. Links, sockets and devices are left out, so nothing outside
 * the folder is read. Refuses contents that are too large; throws the system’s error if the disk is full.
 */
export async function copyIn(
  from: string,
  to: string,
  { maxBytes = MAX_BYTES, maxEntries = MAX_ENTRIES } = {},
): Promise<Refusal | undefined> {
  let bytes = 0
  let entries = 0

  async function copyFolder(source: string, target: string, depth: number): Promise<Refusal | undefined> {
    if (depth > MAX_DEPTH) return { refused: `The folder ${from} is deeper than ${MAX_DEPTH} folders.` }
    for await (const entry of await opendir(source)) {
      if (++entries > maxEntries)
        return { refused: `The folder ${from} has more than ${maxEntries.toLocaleString('en')} files.` }
      const [inside, copy] = [join(source, entry.name), join(target, entry.name)]
      if (entry.isDirectory()) {
        await mkdir(copy, { mode: 0o700 })
        const refused = await copyFolder(inside, copy, depth + 1)
        if (refused) return refused
      } else if (entry.isFile()) {
        const stats = await lstat(inside)
        // The entry has changed in the meantime.
        if (!stats.isFile()) continue
        bytes += stats.size
        if (bytes > maxBytes)
          return { refused: `The folder ${from} is larger than ${formatBytes(maxBytes)}.` }
        await copyFile(inside, copy, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
      }
    }
    return undefined
  }

  try {
    return await copyFolder(from, to, 0)
  } catch (error) {
    const code = fileErrorCode(error)
    if (isNoRoom(code)) throw error
    return { refused: `The folder ${from} cannot be copied: ${reasonOf(code)}.` }
  }
}
