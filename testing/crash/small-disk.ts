import { spawnSync } from 'node:child_process'
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Refusal } from '../../src/main/lib/expected-errors.ts'

/** A disk that can be filled: a file grows until only the given space is free. */
export type SmallDisk = {
  path: string
  /** Leave this much free space, in bytes; disks count in blocks of 4,096. */
  leave(bytes: number): void
  [Symbol.dispose](): void
}

/** An in-memory disk of a few megabytes, or why this process cannot mount one. */
export function aSmallDisk(megabytes: number): SmallDisk | Refusal {
  if (process.platform !== 'linux') return { refused: 'only Linux has disks in memory' }
  if (process.getuid?.() !== 0) return { refused: 'only root may mount a disk in memory' }
  const path = mkdtempSync(join(tmpdir(), 'talaria-disk-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700`, 'tmpfs', path])
  if (mounted.status !== 0) {
    rmSync(path, { recursive: true, force: true })
    return {
      refused: `mounting a disk in memory was refused: ${String(mounted.stderr ?? mounted.error).trim()}`,
    }
  }
  const ballast = openSync(join(path, 'ballast'), 'w')
  return {
    path,
    leave(bytes) {
      ftruncateSync(ballast, 0)
      const { bavail, bsize } = statfsSync(path)
      const filled = Buffer.alloc(Math.max(0, bavail * bsize - bytes), 1)
      if (filled.length > 0) writeSync(ballast, filled, 0, filled.length, 0)
    },
    [Symbol.dispose]() {
      closeSync(ballast)
      // Lazy unmount, because a failed test may still have a file open.
      spawnSync('umount', ['-l', path])
      rmSync(path, { recursive: true, force: true })
    },
  }
}
