import {
  copyFileSync,
  existsSync,
  openSync,
  closeSync,
  fsyncSync,
  lstatSync,
  renameSync,
  rmSync,
  statSync,
  createWriteStream,
  mkdirSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDamage } from '../db/file/database-faults.ts'
import type { Forgotten } from '../db/removal/forget-texts.ts'
import { attachedIn, filesOfDatabase, isDatabase, removeFromCopy } from '../db/file/remove-from-copy.ts'
import { renamePatiently, syncFolder } from '../lib/disk/durable-files.ts'
import { namesIn } from '../lib/expected-errors.ts'
import { removeTree } from '../lib/removal/remove-tree.ts'
import { leftByError, type Unremoved } from '../lib/removal/unremoved.ts'
import { Fault } from '../../shared/rpc.ts'
import { withoutEntries } from '../../shared/text/without-entries.ts'
import { openBackup, checkBackup, readEntry, type Backup } from './backup/read-backup.ts'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { checkDatabase } from '../db/file/copy-database.ts'
import { DATABASE, MANIFEST } from './backup/manifest.ts'
import { fileSource, packFiles, partPath, type Source } from './backup/pack-files.ts'

/** What to remove from the copies of a home folder. */
export type CleaningJob = {
  home: string
  /** The path of the database in use, which is left alone. */
  database: string
  chats: readonly { sessionId: string; createdAt: number }[]
  /** Whether to rewrite every copy, because its word indexes may hold text deleted before version 9. */
  all: boolean
  /** The memory entries to forget. */
  forgotten?: Forgotten
  /** Unfinished copies older than this time were left by a crash. */
  startedAt: number
}

/**
 * The result: copies that were rewritten, unreadable copies that were dropped, and copies where both failed.
 * A failure does not stop the others.
 */
export type CleanedCopies = { type: 'done'; rewritten: string[]; dropped: string[]; left: Unremoved[] }

const MAIN = /^state(\.safe(-\d)?)?\.db$/
/** How often to check whether a backup in progress is finished, in ms. */
const WAIT_MS = 100

/**
 * Remove chats from the unused databases of a home folder and from its backups. Each copy that contains one
 * is replaced by one without it. Unreadable copies that may contain one are dropped; a damaged database in
 * the home folder itself stays. Waits for a backup in progress, because it may have started before the chats
 * were removed.
 */
export async function* cleanCopies(job: CleaningJob, signal: AbortSignal): AsyncGenerator<CleanedCopies> {
  const { home, database, chats, all, forgotten, startedAt } = job
  const backups = join(home, 'backups')
  const making = join(home, 'cache', 'backup')
  const done: CleanedCopies = { type: 'done', rewritten: [], dropped: [], left: [] }
  const drop = async (path: string) => done.left.push(...(await removeTree(path, { signal })))
  const isLeftBehind = (path: string) =>
    (lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) < startedAt
  if (isLeftBehind(making)) await drop(making)
  else while (existsSync(making)) await sleep(WAIT_MS, undefined, { signal })
  for (const folder of [home, backups])
    for (const name of namesIn(folder))
      if (/\.(part|cleaning)(-wal|-shm|-journal)?$/.test(name) && isLeftBehind(join(folder, name)))
        await drop(join(folder, name))

  const ids = chats.map(({ sessionId }) => sessionId)
  for (const path of [...databasesBeside(home, database), ...copiesIn(backups)]) {
    signal.throwIfAborted()
    const clean = async () => {
      const outcome = path.endsWith('.zip')
        ? await cleanBackup(path, { home, ids, all, forgotten, signal })
        : await cleanDatabase(path, ids, all, forgotten)
      if (outcome === 'rewritten') done.rewritten.push(path)
      // A chat that is newer than the copy cannot be in it.
      const at = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
      const mayHold =
        outcome === 'unreadable' && (forgotten || chats.some(({ createdAt }) => createdAt <= at))
      if (!mayHold || dirname(path) !== backups) return
      for (const file of filesOfDatabase(path)) await drop(file)
      done.dropped.push(path)
    }
    done.left.push(...(await leftByError(clean(), path)))
  }
  yield done
}

const databasesBeside = (home: string, database: string): string[] =>
  namesIn(home)
    .filter(name => MAIN.test(name))
    .map(name => join(home, name))
    .filter(path => path !== database)

/** Return the backups that Talaria made; other files there are the user's own. */
const copiesIn = (backups: string): string[] =>
  namesIn(backups)
    .filter(name => /^(state-v|damaged-).*\.db$|\.zip$/.test(name))
    .map(name => join(backups, name))

type Outcome = 'rewritten' | 'unchanged' | 'unreadable'

/** Replace a database that contains one of the chats by one without them, in one step. */
async function cleanDatabase(
  path: string,
  ids: readonly string[],
  always: boolean,
  forgotten: Forgotten | undefined,
): Promise<Outcome> {
  if (!isDatabase(path)) return 'unreadable'
  const part = `${path}.cleaning`
  await removeAll(filesOfDatabase(part))
  try {
    for (const end of ['', '-wal']) if (existsSync(path + end)) copyFileSync(path + end, part + end)
    if (!removeFromCopy(part, ids, always, forgotten)) return 'unchanged'
    const file = openSync(part, 'r+')
    fsyncSync(file)
    closeSync(file)
    // Remove the log first: it belongs to the old file, and next to the new one it would be replayed into it.
    await removeAll(['-wal', '-shm'].map(end => path + end))
    renamePatiently(() => renameSync(part, path))
    syncFolder(dirname(path))
    return 'rewritten'
  } catch (error) {
    if (isDamage(error)) return 'unreadable'
    throw error
  } finally {
    await removeAll(filesOfDatabase(part))
  }
}

/** Remove files that must not stay. Throws the system's error if one does. */
async function removeAll(paths: readonly string[]): Promise<void> {
  for (const path of paths) await removeTree(path)
  const there = paths.find(path => existsSync(path))
  if (there !== undefined) rmSync(there)
}

type BackupCleaning = {
  home: string
  ids: readonly string[]
  all: boolean
  forgotten: Forgotten | undefined
  signal: AbortSignal
}

async function cleanBackup(
  path: string,
  { home, ids, all, forgotten, signal }: BackupCleaning,
): Promise<Outcome> {
  const scratch = join(home, 'cache', 'cleaning')
  await removeTree(scratch)
  try {
    const { manifest } = await openBackup(path)
    const isOld = all && manifest.database < 9
    // A backup is compressed, so whether it contains a text cannot be seen without unpacking.
    if (!forgotten && !isOld && !manifest.chats.some(id => ids.includes(id))) return 'unchanged'
    let attached: ReadonlySet<string> = new Set()
    await rewriteBackup(path, {
      scratch,
      change(database) {
        removeFromCopy(database, ids, true, forgotten)
        attached = attachedIn(database)
      },
      ...(forgotten && { mend: (name, text) => mendFile(name, text, forgotten) }),
      // Training data can be made again from the remaining chats.
      without: name =>
        name.startsWith('trajectories/') ||
        (name.startsWith('attachments/') && !attached.has(name.slice('attachments/'.length, 76))) ||
        ids.some(id => name.startsWith(`file-copies/${id}/`)),
      signal,
    })
    return 'rewritten'
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof Fault || isDamage(error)) return 'unreadable'
    throw error
  }
}

/** Remove forgotten entries from a backup's memory file. If its entries cannot be told apart, empty it. */
function mendFile(name: string, text: string, { texts }: Forgotten): string {
  const kept = withoutEntries(text, new Set(texts))
  const isLive = /\/(?:MEMORY|USER)\.md$/.test(name)
  return !isLive && texts.some(each => kept.includes(each)) ? '' : kept
}

type Change = {
  /** A temporary folder for the database while it is changed. */
  scratch: string
  /** Change the database, an ordinary file that nothing else uses. */
  change: (database: string) => void | Promise<void>
  /** Return whether to leave out the file of this name. */
  without?: (name: string) => boolean
  /** Return the new content of a small text file. */
  mend?: (name: string, text: string) => string
  signal: AbortSignal
}

/**
 * Change the database in a backup, leave out or mend some files, and keep the rest. After a crash the backup
 * is either the old or the new one, complete. Throws a Fault if the backup cannot be read, or the file
 * system's error.
 * @internal Its test makes the change fail, which no chat can do.
 */
export async function rewriteBackup(
  path: string,
  { scratch, change, without, mend, signal }: Change,
): Promise<void> {
  const backup = await openBackup(path)
  const part = partPath(path)
  const onProgress = () => {}
  try {
    mkdirSync(scratch, { recursive: true, mode: 0o700 })
    const database = join(scratch, DATABASE)
    const stored = backup.entries.find(({ name }) => name === DATABASE)!
    const file = createWriteStream(database, { mode: 0o600 })
    await pipeline(Readable.from(readEntry(backup, stored)), file, { signal })
    await change(database)
    const { version, chats } = checkDatabase(database)
    const others = backup.entries.filter(
      ({ name }) => name !== MANIFEST && name !== DATABASE && !without?.(name),
    )
    const sources = [
      fileSource({ name: DATABASE, path: database, bytes: statSync(database).size }),
      ...others.map(entry =>
        mend && isMendable(entry) ? mendedSource(backup, entry, mend) : entrySource(backup, entry),
      ),
    ]
    const changed = { ...backup.manifest, database: version, chats }
    const manifest = (files: typeof changed.files) => ({ ...changed, files })
    await packFiles({ part, sources, leftOut: changed.leftOut, manifest, onProgress, signal })
    await checkBackup(part, signal, onProgress)
    renamePatiently(() => renameSync(part, path))
    syncFolder(dirname(path))
  } finally {
    await removeTree(part)
    await removeTree(scratch)
  }
}

const entrySource = (backup: Backup, entry: Backup['entries'][number]): Source => ({
  name: entry.name,
  bytes: entry.size,
  open: async () => ({
    stream: Readable.from(readEntry(backup, entry)),
    mode: entry.mode,
    mtime: new Date(backup.manifest.createdAt),
  }),
})

/** Memory files are far smaller; a larger file is not ours. */
const isMendable = ({ name, size }: Backup['entries'][number]): boolean =>
  name.startsWith('memories/') && size < 8_000_000

const mendedSource = (
  backup: Backup,
  entry: Backup['entries'][number],
  mend: (name: string, text: string) => string,
): Source => ({
  name: entry.name,
  bytes: entry.size,
  open: async () => {
    const parts: Uint8Array[] = []
    for await (const part of readEntry(backup, entry)) parts.push(part)
    const text = mend(entry.name, Buffer.concat(parts).toString('utf8'))
    const mtime = new Date(backup.manifest.createdAt)
    return { stream: Readable.from([Buffer.from(text)]), mode: entry.mode, mtime }
  },
})
