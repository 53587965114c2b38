import { createHash, randomBytes } from 'node:crypto'
import { constants, createReadStream, rmSync, type Stats } from 'node:fs'
import { chmod, copyFile, lstat, mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileChangeStore } from '../db/chats/file-change-tables.ts'
import { fileErrorCode, reasonOf, undefinedIfMissing, type Refusal } from '../lib/expected-errors.ts'
import { letOthersRun } from '../lib/timing.ts'
import { Fault } from '../../shared/rpc.ts'

/** Limits for copies: bytes of each, total bytes, and number. */
export type CopyLimits = { each: number; bytes: number; count: number }
export const COPY_LIMITS: CopyLimits = { each: 8_000_000, bytes: 256_000_000, count: 5_000 }

/** The author of a change. `callId` is null if the user restores the file. */
type ChangedIn = { sessionId: string; callId: string | null; folder: string }

type Parts = {
  home: string
  store: FileChangeStore
  now(): number
  limits: CopyLimits
}

/** Keeps copies of files before they change. */
export type CopyKeeper = {
  /**
   * Keep the present content of a file before `content` is written to it; null removes it. The path is real.
   * Call `forget` if the change fails. A refusal says why no copy could be kept; then the file must not be
   * changed.
   */
  keep(
    by: ChangedIn,
    path: string,
    content: string | Uint8Array | null,
  ): Promise<{ forget(): void } | Refusal>
  /** The path of the copy with this hash. */
  pathOf(sessionId: string, hash: string): string
  /** Give a chat the copies that its log names and that another chat has. Missing copies stay missing. */
  share(fromId: string, toId: string): Promise<void>
}

/** The folder for copies, in a home folder. */
const FOLDER = 'file-copies'
const SLICE = 1_000_000

/** Keep copies of files in a folder per chat, named by content hash. Over the limits, the oldest go. */
export function createCopyKeeper({ home, store, now, limits }: Parts): CopyKeeper {
  const folderOf = (sessionId: string) => join(home, FOLDER, sessionId)
  const pathOf = (sessionId: string, hash: string) => join(folderOf(sessionId), hash)

  function dropOldest() {
    for (let { count, bytes } = store.kept(); count > limits.count || bytes > limits.bytes;) {
      const dropped = store.dropOldest()
      if (!dropped) return
      if (dropped.isLast) rmSync(pathOf(dropped.sessionId, dropped.hash), { force: true })
      ;({ count, bytes } = store.kept())
    }
  }

  /** Copy a file that may be written to meanwhile. The hash is that of the copy. */
  async function copy(path: string, sessionId: string): Promise<string> {
    const folder = folderOf(sessionId)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const part = join(folder, `${randomBytes(6).toString('hex')}.part`)
    try {
      await copyFile(path, part, constants.COPYFILE_FICLONE)
      // The copy also keeps the right to run.
      await chmod(part, isExecutable(await lstat(path)) ? 0o700 : 0o600)
      const hash = await hashFile(part)
      const file = await open(part, 'r+')
      await file.sync()
      await file.close()
      await rename(part, pathOf(sessionId, hash))
      return hash
    } catch (error) {
      await rm(part, { force: true })
      throw error
    }
  }

  async function before({ sessionId }: ChangedIn, path: string) {
    const stats = await lstat(path).catch(undefinedIfMissing)
    if (!stats) return { beforeHash: null, copy: 'none', bytes: 0 } as const
    const { size: bytes } = stats
    if (bytes > limits.each) return { beforeHash: await hashFile(path), copy: 'too_big', bytes } as const
    return { beforeHash: await copy(path, sessionId), copy: 'kept', bytes } as const
  }

  return {
    pathOf,
    async keep(by, path, content) {
      try {
        const afterHash = content === null ? null : await hashContent(content)
        const id = store.add({ ...by, path, afterHash, ...(await before(by, path)), at: now() })
        dropOldest()
        return { forget: () => store.remove(id) }
      } catch (error) {
        const why = error instanceof Fault ? error.message : `${reasonOf(fileErrorCode(error))}.`
        return { refused: `Nothing was changed, because no copy of the old content could be kept: ${why}` }
      }
    },
    async share(fromId, toId) {
      const hashes = new Set(
        store.list(toId).flatMap(({ copy, beforeHash }) => (copy === 'kept' ? [beforeHash] : [])),
      )
      if (hashes.size > 0) await mkdir(folderOf(toId), { recursive: true, mode: 0o700 })
      for (const hash of hashes) {
        // Not a hard link, so that damaging one copy cannot damage the other.
        const copied = copyFile(pathOf(fromId, hash!), pathOf(toId, hash!), constants.COPYFILE_FICLONE)
        await copied.catch(undefinedIfMissing)
      }
    },
  }
}

/** Whether the owner of a file may run it. */
export const isExecutable = ({ mode }: Pick<Stats, 'mode'>): boolean => (mode & 0o100) !== 0

/** Hash the content of a file. Throws errors of the system. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer)
  return hash.digest('hex')
}

async function hashContent(content: string | Uint8Array): Promise<string> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const hash = createHash('sha256')
  for (let at = 0; at < bytes.byteLength; at += SLICE) {
    if (at > 0) await letOthersRun()
    hash.update(bytes.subarray(at, at + SLICE))
  }
  return hash.digest('hex')
}
