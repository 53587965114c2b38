import { createWriteStream, existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { statfs, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { DataProgress } from '../../../shared/contract/data.ts'
import { refuseUnseen } from '../../../shared/contract/seen.ts'
import { Fault } from '../../../shared/rpc.ts'
import { checkDatabase } from '../../db/file/copy-database.ts'
import { renamePatiently, syncFolder } from '../../lib/disk/durable-files.ts'
import { fileErrorCode, reasonOf } from '../../lib/expected-errors.ts'
import { removeTree } from '../../lib/removal/remove-tree.ts'
import { createProgress } from '../progress.ts'
import { DATABASE, MANIFEST } from './manifest.ts'
import { partPath } from './pack-files.ts'
import { openBackup, readEntry, sizeOf, type Backup } from './read-backup.ts'

export type RestoreJob = {
  /** The path of the backup. */
  path: string
  /** The new home: a folder that does not exist or is empty. */
  folder: string
  /** The stamp when the user viewed the backup; by default, the stamp when the work starts. */
  stamp?: string
}

/** The result: `folder` is now a complete home. */
export type Restored = { type: 'done'; folder: string; chats: number; files: number }

/** Marks a folder of ours that is incomplete, so that the next attempt may remove it. */
export const RESTORING = '.talaria-restoring'
const MARK_TEXT = 'A backup is being restored into this folder. If Talaria does not run, you can delete it.\n'
/** How many bytes must stay free on the disk. */
const RESERVE = 50_000_000

/**
 * Restore a backup into a new home folder. The folder gets its final name once everything in it is checked; a
 * failure leaves nothing. Throws a Fault that says why it was not restored.
 */
export async function* restoreBackup(
  job: RestoreJob,
  signal: AbortSignal,
): AsyncGenerator<DataProgress | Restored> {
  const { folder } = job
  const leaving = new AbortController()
  const progress = createProgress()
  const either = AbortSignal.any([signal, leaving.signal])
  const restoring = restore(job, either, share => progress.tell('unpacking', share))
  try {
    yield* progress.until(restoring)
    yield await restoring
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (error instanceof Fault) throw error
    throw new Fault('not_ready', `${folder} cannot be written: ${reasonOf(fileErrorCode(error))}.`)
  } finally {
    leaving.abort()
    await restoring.catch(() => undefined)
  }
}

async function restore(
  { path, folder, stamp }: RestoreJob,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<Restored> {
  const backup = await openBackup(path)
  if (stamp !== undefined) refuseUnseen(stamp, backup.stamp, basename(path))
  refuseUsed(folder)
  const part = partPath(folder)
  await removeHalf(part)
  try {
    mkdirSync(part, { recursive: true, mode: 0o700 })
    await writeFile(join(part, RESTORING), MARK_TEXT)
    await refuseFullDisk(part, backup)
    await unpack(backup, part, signal, onProgress)
    const { version } = checkDatabase(join(part, DATABASE), `The database in ${basename(path)}`)
    if (version !== backup.manifest.database)
      throw new Fault('bad_input', 'The database in the backup is not what its list of contents says.')
    // The file may have been written to while it was read.
    refuseUnseen(backup.stamp, (await openBackup(path)).stamp, basename(path))
    rmSync(join(part, RESTORING))
    syncFolder(part)
    // Only Windows refuses to rename onto an empty folder.
    if (existsSync(folder)) rmdirSync(folder)
    renamePatiently(() => renameSync(part, folder))
    syncFolder(dirname(folder))
    return { type: 'done', folder, chats: backup.manifest.chats.length, files: backup.manifest.files.length }
  } catch (error) {
    await removeTree(part)
    throw error
  }
}

function refuseUsed(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Fault('bad_input', `${folder} is not empty. Choose a new folder; nothing is ever overwritten.`)
}

/** Remove the remains of an earlier attempt. Throws a `bad_input` Fault if they are not ours. */
async function removeHalf(part: string): Promise<void> {
  if (!existsSync(part)) return
  if (!existsSync(join(part, RESTORING)) && readdirSync(part).length > 0)
    throw new Fault('bad_input', `${part} is in the way. Delete it, or choose another folder.`)
  await removeTree(part)
}

async function refuseFullDisk(folder: string, { entries }: Backup): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  const needed = sizeOf(entries)
  if (needed + Math.min(RESERVE, needed) > bavail * bsize)
    throw new Fault('not_ready', `There is not enough space on the disk for ${folder}.`)
}

async function unpack(
  backup: Backup,
  folder: string,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<void> {
  const total = sizeOf(backup.entries)
  let written = 0
  for (const entry of backup.entries) {
    if (entry.name === MANIFEST) continue
    const target = join(folder, entry.name)
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
    const content = async function* () {
      for await (const chunk of readEntry(backup, entry)) {
        written += chunk.length
        onProgress(written / Math.max(1, total))
        yield chunk
      }
    }
    // Two names that are the same on this disk must not replace each other.
    const file = createWriteStream(target, {
      flags: 'wx',
      mode: entry.mode & 0o100 ? 0o700 : 0o600,
      flush: true,
    })
    await pipeline(Readable.from(content()), file, { signal })
  }
}
