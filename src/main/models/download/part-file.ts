import { constants } from 'node:fs'
import { open } from 'node:fs/promises'

/** Bytes and time between two syncs to disk, so that a power cut loses little. */
const syncBytes = 32 << 20
const syncMs = 1_000

/** A growing file. The caller that opened it closes it. */
export type PartFile = {
  readonly bytes: number
  append(chunk: Uint8Array): Promise<void>
  /** Discard the contents. */
  restart(): Promise<void>
  close(): Promise<void>
}

/** Open a file after its first `bytes`, or fewer if it is shorter. Anything beyond is cut off. */
export async function openPart(
  path: string,
  bytes: number,
  onSafe: (bytes: number) => void,
): Promise<PartFile> {
  const file = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600)
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
    restart: () => cutTo(0),
    async close() {
      try {
        await sync()
      } finally {
        await file.close()
      }
    },
  }
}
