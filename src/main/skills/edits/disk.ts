import {
  closeSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { renamePatiently } from '../../lib/durable-files.ts'

/** Every disk write of the skill editor. Tests of full disks and crashes replace it. */
export type Disk = {
  /** Write a file that must not exist yet, and sync it. */
  write(path: string, bytes: Uint8Array, mode: number): void
  link(target: string, path: string): void
  /** Make a folder and its missing parents. */
  makeFolder(path: string): void
  /** Rename within one file system, replacing an existing file. Durable once the folders are synced. */
  rename(from: string, to: string): void
  /** Remove a file, or a folder with its contents. A missing path is fine. */
  remove(path: string): void
}

/** The real disk. */
export const realDisk: Disk = {
  write(path, bytes, mode) {
    const file = openSync(path, 'wx', mode)
    try {
      writeFileSync(file, bytes)
      // The umask may have cleared permission bits.
      fchmodSync(file, mode)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
  },
  link: (target, path) => symlinkSync(target, path),
  makeFolder: path => void mkdirSync(path, { recursive: true }),
  rename: (from, to) => renamePatiently(() => renameSync(from, to)),
  remove: path => rmSync(path, { recursive: true, force: true }),
}

/** The result of `work`; undefined on any error of the file system. */
export function tryFs<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return undefined
  }
}
