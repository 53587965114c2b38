import { existsSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import { MAX_EXPORT_TEXT } from '../../shared/contract/data.ts'
import type { HostHandlers } from '../../shared/contract/index.ts'
import { refuseUnseen } from '../../shared/contract/seen.ts'
import { Fault } from '../../shared/rpc.ts'
import { isInside } from '../files/paths/resolve-path.ts'
import { pathNamed } from '../files/workspace.ts'
import { backupFolder } from '../lib/disk/durable-files.ts'
import { noteUnfinished } from '../lib/removal/unfinished.ts'
import { hashShown } from '../lib/shown-hash.ts'
import { listBackups } from './backup/daily-backup.ts'
import { partPath } from './backup/pack-files.ts'
import { openBackup } from './backup/read-backup.ts'
import { RESTORING } from './backup/restore-backup.ts'
import { measureHome } from './home-parts.ts'
import type { RunWork } from './work-on-data.ts'

type Parts = {
  home: string
  /** The folder of new chats. */
  workspace: string
  /** The path of the database in use. */
  database: string
  version: string
  now(): number
  run: RunWork
  /** Return why the last daily backup failed; null if it did not. */
  trouble(): string | null
}

/** Handlers for sizes, backups and restoring. */
export function dataHandlers({ home, workspace, database, version, now, run, trouble }: Parts) {
  return {
    async 'data.sizes'(_input, signal) {
      const parts = await measureHome(home, signal)
      return { home, parts, bytes: parts.reduce((sum, part) => sum + part.bytes, 0) }
    },
    async *'data.export'({ path, chat, ...wanted }, signal) {
      const target = pathNamed(path)
      await using _ = noteUnfinished(home, partPath(target))
      yield* run('export', { ...wanted, database, target, chat, now: now() }, signal)
    },
    'data.exportText': (wanted, signal) =>
      run('exportText', { ...wanted, database, most: MAX_EXPORT_TEXT, now: now() }, signal),
    'data.places': () => ({ files: folderForFiles(), separator: sep }),
    'data.backups': () => ({ folder: backupFolder(home), backups: listBackups(home), trouble: trouble() }),
    async *'data.backup'({ path, keys, files }, signal) {
      const target = pathNamed(path)
      const elsewhere = isPacked(home, workspace) ? {} : { elsewhere: workspace }
      const job = { home, database, target, wanted: { keys, files }, ...elsewhere, version, now: now() }
      await using _ = noteUnfinished(home, partPath(target))
      yield* run('backup', { ...job, kind: 'manual' }, signal)
    },
    async 'data.inspect'({ path }) {
      const { manifest, bytes, path: file, stamp } = await openBackup(pathNamed(path))
      const { talaria: _talaria, format: _format, database: _database, chats, files, ...rest } = manifest
      return { ...rest, path: file, bytes, chats: chats.length, files: files.length, seen: hashShown(stamp) }
    },
    async *'data.restore'({ path, folder: given, seen }, signal) {
      const { path: file, stamp } = await openBackup(pathNamed(path))
      refuseUnseen(seen, hashShown(stamp), basename(file))
      const folder = pathNamed(given)
      refuseInside(home, folder)
      await using _ = noteUnfinished(home, partPath(folder), RESTORING)
      yield* run('restore', { path: file, folder, stamp }, signal)
    },
  } satisfies Partial<HostHandlers>
}

/** Whether a folder is in the home, or in the part for working folders, which may be a link to elsewhere. */
const isPacked = (home: string, folder: string): boolean =>
  [home, join(home, 'workspace')].some(each => isInside(realPath(each), realPath(folder)))

/** Refuse a home within a home: it would be measured, backed up and removed as part of it. */
function refuseInside(home: string, folder: string): void {
  const below = relative(realPath(home), realPath(folder))
  if (below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below)) return
  throw new Fault(
    'bad_input',
    `${folder} is inside ${home}, the home that is open here. Choose a folder outside it; nothing was restored.`,
  )
}

/** Resolve the links in the existing part of a path. */
const realPath = (path: string): string =>
  existsSync(path) || dirname(path) === path
    ? realpathSync(path)
    : join(realPath(dirname(path)), basename(path))

function folderForFiles(): string {
  const downloads = join(homedir(), 'Downloads')
  return existsSync(downloads) ? downloads : homedir()
}
