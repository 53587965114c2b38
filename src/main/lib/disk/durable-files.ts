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
  mkdirSync,
  readdirSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileErrorCode } from '../expected-errors.ts'

export type WriteOptions = {
  /** Permission bits; default those of the replaced file, else what the umask allows. */
  mode?: number
}

/**
 * Replace a file so that a crash at any moment leaves either the old or the new content, whole. A symbolic
 * link stays, and the file it names is replaced.
 */
export function writeAtomic(path: string, content: string | Uint8Array, { mode }: WriteOptions = {}): void {
  const target = followed(path)
  const temporary = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString('hex')}.tmp`)
  const bits = mode ?? modeOf(target)
  const file = openSync(temporary, 'wx', bits ?? 0o666)
  try {
    try {
      writeFileSync(file, content)
      // The umask may have cleared bits.
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
 * Rename, and on Windows retry for about a second: a virus scanner or an indexer that has the file open makes
 * a rename fail for a moment.
 */
export function renamePatiently(rename: () => void, platform: NodeJS.Platform = process.platform): void {
  for (let wait = 5; ; wait *= 2) {
    try {
      rename()
      return
    } catch (error) {
      const code = fileErrorCode(error)
      if (platform !== 'win32' || wait > 640 || !['EPERM', 'EBUSY', 'EACCES'].includes(code)) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, wait)
    }
  }
}

/** Make the names in a folder durable with fsync. Windows cannot open a folder and does not need it. */
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
    if (fileErrorCode(error) === 'ENOENT') return path
    throw error
  }
}

const modeOf = (path: string) => {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats && stats.mode & 0o777
}

/** Return the backups folder inside a home folder, creating it if missing. */
export function backupFolder(home: string): string {
  const folder = join(home, 'backups')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

/** Remove the oldest files whose names begin with `prefix`, until `count` are left. */
export function keepNewest(folder: string, prefix: string, count: number): void {
  const files = readdirSync(folder)
    .filter(name => name.startsWith(prefix))
    .map(name => ({ path: join(folder, name), at: statSync(join(folder, name)).mtimeMs }))
    .toSorted((a, b) => b.at - a.at || (a.path < b.path ? 1 : -1))
  for (const { path } of files.slice(count)) unlinkSync(path)
}

/** Format a time for a file name: `20261121T081547`. */
export const fileTime = (at: number): string =>
  new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')
