import { constants } from 'node:fs'
import { renameSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { renamePatiently } from '../../lib/disk/durable-files.ts'

/** Maximum bytes and time between two syncs to disk, so that a power cut loses little. */
const syncBytes = 32 << 20
const syncMs = 1_000

/** A growing file. The caller that opened it closes it. */
export type PartFile = {
  readonly bytes: number
  append(chunk: Uint8Array): Promise<void>
  /** Read at most `count` bytes from an offset. */
  read(from: number, count: number): Promise<Buffer>
  /** Drop everything after the first `bytes`. */
  cutTo(bytes: number): Promise<void>
  /** Replace this file by the other one, which gets closed. The content of this file is lost. */
  replaceBy(other: PartFile): Promise<void>
  readonly path: string
  close(): Promise<void>
}

/** Open a file after its first `bytes`, or fewer if it is shorter. Anything beyond is cut off. */
export async function openPart(
  path: string,
  bytes: number,
  onSafe: (bytes: number) => void,
): Promise<PartFile> {
  const reopen = () => open(path, constants.O_RDWR | constants.O_CREAT, 0o600)
  let file = await reopen()
  let at = 0
  let safe = 0
  let syncedAt = performance.now()

  async function sync() {
    await file.datasync()
    syncedAt = performance.now()
    safe = at
    onSafe(at)
  }
  async function cutTo(size: number) {
    await file.truncate(size)
    at = size
    safe = Math.min(safe, size)
    onSafe(safe)
  }

  try {
    const { size } = await file.stat()
    await cutTo(Math.min(bytes, size))
    await sync()
  } catch (error) {
    await file.close()
    throw error
  }
  return {
    get bytes() {
      return at
    },
    async append(chunk) {
      for (let from = 0; from < chunk.length;) {
        const { bytesWritten } = await file.write(chunk, from, chunk.length - from, at)
        from += bytesWritten
        at += bytesWritten
      }
      if (at - safe >= syncBytes || performance.now() - syncedAt >= syncMs) await sync()
    },
    async read(from, count) {
      const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(count, at - from)))
      let filled = 0
      while (filled < buffer.length) {
        const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, from + filled)
        if (bytesRead === 0) break
        filled += bytesRead
      }
      return buffer.subarray(0, filled)
    },
    cutTo,
    path,
    async replaceBy(other) {
      const { bytes } = other
      await other.close()
      // Windows cannot replace an open file.
      await file.close()
      try {
        renamePatiently(() => renameSync(other.path, path))
      } finally {
        file = await reopen()
      }
      at = bytes
      safe = bytes
      onSafe(bytes)
    },
    async close() {
      try {
        await sync()
      } finally {
        await file.close()
      }
    },
  }
}
