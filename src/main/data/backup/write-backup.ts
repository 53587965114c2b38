import { existsSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { DataProgress, LeftOut } from '../../../shared/contract/data.ts'
import { Fault } from '../../../shared/rpc.ts'
import { copyDatabase } from '../../db/file/copy-database.ts'
import { attachedIn, removeTemporary } from '../../db/file/remove-from-copy.ts'
import { renamePatiently, syncFolder } from '../../lib/disk/durable-files.ts'
import { fileErrorCode, reasonOf } from '../../lib/expected-errors.ts'
import { removeTree } from '../../lib/removal/remove-tree.ts'
import { createProgress, type Progress } from '../progress.ts'
import { listFiles, fileSource, packFiles, partPath, type Wanted } from './pack-files.ts'
import { DATABASE, FORMAT, type Manifest } from './manifest.ts'
import { checkBackup } from './read-backup.ts'

export type BackupJob = {
  home: string
  /** The path of the database in use. */
  database: string
  /** The file to write; its folder exists, but the file must not. */
  target: string
  kind: Manifest['kind']
  wanted: Wanted
  /** The working folder, if it is outside the home: the backup names it as left out. */
  elsewhere?: string
  /** The version of Talaria. */
  version: string
  now: number
}

/** The result: `bytes` is the size of the file. */
export type WrittenBackup = { type: 'done'; path: string; bytes: number; chats: number; leftOut: LeftOut[] }

/**
 * Write a backup of a home in use: the database as of one moment, then the files. It gets its final name
 * after it was opened and read back completely; otherwise nothing is left. Throws a Fault that says why it
 * was not written.
 */
export async function* writeBackup(
  job: BackupJob,
  signal: AbortSignal,
): AsyncGenerator<DataProgress | WrittenBackup> {
  const { target } = job
  const leaving = new AbortController()
  const progress = createProgress()
  const part = partPath(target)
  const scratch = join(job.home, 'cache', 'backup')
  const writing = write(job, { part, scratch, progress, signal: AbortSignal.any([signal, leaving.signal]) })
  try {
    yield* progress.until(writing)
    yield await writing
  } catch (error) {
    throw signal.aborted ? signal.reason : unwritable(target, error)
  } finally {
    leaving.abort()
    await writing.catch(() => undefined)
    await removeTree(part)
    await removeTree(scratch)
  }
}

type Writing = { part: string; scratch: string; progress: Progress; signal: AbortSignal }

async function write(
  { home, database: from, target, wanted, elsewhere, kind, version, now }: BackupJob,
  { part, scratch, progress, signal }: Writing,
): Promise<WrittenBackup> {
  if (existsSync(target)) throw new Fault('bad_input', `${target} already exists. Choose another name.`)
  await removeTree(scratch)
  mkdirSync(scratch, { recursive: true, mode: 0o700 })
  const copy = join(scratch, DATABASE)
  // The database first: a file newer than it counts as edited outside, and nothing of it is lost.
  const onProgress = (share: number) => progress.tell('copying', share)
  const copied = await copyDatabase(from, copy, { signal, onProgress })
  const temporary = removeTemporary(copy)
  const chats = copied.chats.filter(id => !temporary.includes(id))
  const { files: listed, leftOut } = await listFiles(home, wanted)
  if (wanted.files && elsewhere !== undefined) leftOut.unshift({ path: elsewhere, why: ELSEWHERE })
  const files = temporary.length > 0 ? withoutFilesOf(temporary, copy, listed) : listed
  const found = [{ name: DATABASE, path: copy, bytes: statSync(copy).size }, ...files]
  const { version: database } = copied
  const packed = { talaria: 'backup', format: FORMAT, version, database, kind, createdAt: now, home } as const
  await packFiles({
    part,
    sources: found.map(fileSource),
    leftOut,
    manifest: list => ({ ...packed, hasKeys: wanted.keys, chats, files: list, leftOut }),
    onProgress: share => progress.tell('packing', share),
    signal,
  })
  await checkBackup(part, signal, share => progress.tell('checking', share))
  renamePatiently(() => renameSync(part, target))
  syncFolder(dirname(target))
  return { type: 'done', path: target, bytes: statSync(target).size, chats: chats.length, leftOut }
}

const ELSEWHERE = 'it is not inside Talaria’s folder, so copy it yourself'

/** Return the files of a home without those of chats that are not in the copied database. */
function withoutFilesOf<F extends { name: string }>(chats: readonly string[], copy: string, files: F[]): F[] {
  const attached = attachedIn(copy)
  const begin = 'attachments/'
  return files.filter(
    ({ name }) =>
      !chats.some(id => name.startsWith(`file-copies/${id}/`)) &&
      (!name.startsWith(begin) || attached.has(name.slice(begin.length, begin.length + 64))),
  )
}

function unwritable(target: string, error: unknown): unknown {
  if (error instanceof Fault) return error
  return new Fault('not_ready', `${target} was not written: ${reasonOf(fileErrorCode(error))}.`)
}
