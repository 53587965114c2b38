import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'

export type WriteOptions = {
  /** Permission bits; default those of the file that is replaced, else what the umask leaves. */
  mode?: number
}

/**
 * Replace a file so that a crash at any moment leaves either the old or the new content, whole. A symbolic link stays,
 * and the file it names is replaced.
 */
export function writeAtomic(path: string, content: string | Uint8Array, { mode }: WriteOptions = {}): void {
  const target = followed(path)
  const temporary = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString('hex')}.tmp`)
  const bits = mode ?? modeOf(target)
  const file = openSync(temporary, 'wx', bits ?? 0o666)
  try {
    try {
      writeFileSync(file, content)
      // The umask may have taken bits away.
      if (bits !== undefined) fchmodSync(file, bits)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renamePatiently(() => renameSync(temporary, target))
  } catch (error) {
    unlinkSync(temporary)
    throw error
  }
  syncFolder(dirname(target))
}

/**
 * Rename, and on Windows try again for about a second: there a virus scanner or an indexer that looks at the file makes
 * a rename fail for a moment.
 */
export function renamePatiently(rename: () => void, platform: NodeJS.Platform = process.platform): void {
  for (let wait = 5; ; wait *= 2) {
    try {
      rename()
      return
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      if (platform !== 'win32' || wait > 640 || !['EPERM', 'EBUSY', 'EACCES'].includes(code)) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, wait)
    }
  }
}

/** Make the names in a folder durable; Windows cannot open a folder and needs nothing of the kind. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

function followed(path: string): string {
  try {
    return realpathSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return path
    throw error
  }
}

const modeOf = (path: string) => {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats && stats.mode & 0o777
}
