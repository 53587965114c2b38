import { createWriteStream, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { checkDatabase } from '../../db/copy-database.ts'
import { renamePatiently, syncFolder } from '../../lib/durable-files.ts'
import { DATABASE, MANIFEST } from './manifest.ts'
import { fileSource, packFiles, partPath, type Source } from './pack-files.ts'
import { checkBackup, openBackup, readEntry, type Backup } from './read-backup.ts'

type Change = {
  /** A folder for the database while it is changed; it is removed. */
  scratch: string
  /** Change the database, an ordinary file that nothing else uses. */
  change: (database: string) => void | Promise<void>
  /** Whether to leave out the file of this name. */
  without?: (name: string) => boolean
  signal: AbortSignal
}

/**
 * Change the database in a backup and keep everything else, except what it is to be without. After a crash the backup is the old one or the new one, whole. Throws a
 * Fault when the backup cannot be read, or what the file system says.
 */
export async function rewriteBackup(
  path: string,
  { scratch, change, without, signal }: Change,
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
      ...others.map(entry => entrySource(backup, entry)),
    ]
    const changed = { ...backup.manifest, database: version, chats }
    const manifest = (files: typeof changed.files) => ({ ...changed, files })
    await packFiles({ part, sources, leftOut: changed.leftOut, manifest, onProgress, signal })
    await checkBackup(part, signal, onProgress)
    renamePatiently(() => renameSync(part, path))
    syncFolder(dirname(path))
  } finally {
    rmSync(part, { force: true })
    rmSync(scratch, { recursive: true, force: true })
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
