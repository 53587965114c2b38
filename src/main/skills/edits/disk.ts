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
import { renamePatiently } from '../../lib/write-atomic.ts'

/** All that changes of skills do to the disk; another one is given in tests of full disks and of crashes. */
export type Disk = {
  /** Write a file that must not exist yet; it is on the disk when this returns. */
  write(path: string, bytes: Uint8Array, mode: number): void
  link(target: string, path: string): void
  /** Make a folder and those that it lies in, as far as they do not exist. */
  makeFolder(path: string): void
  /** Rename within one file system; a file that is there is replaced. It is durable once the folders are synced. */
  rename(from: string, to: string): void
  /** Remove a file, or a folder with all that is in it; nothing is as good. */
  remove(path: string): void
}

/** The real disk. */
export const realDisk: Disk = {
  write(path, bytes, mode) {
    const file = openSync(path, 'wx', mode)
    try {
      writeFileSync(file, bytes)
      // The umask may have taken bits away.
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
