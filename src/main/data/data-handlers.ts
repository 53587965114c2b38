import type { HostHandlers } from '../../shared/contract/index.ts'
import { Fault } from '../../shared/rpc.ts'
import { backupFolder } from '../lib/durable-files.ts'
import { isRefusal } from '../lib/expected-errors.ts'
import { pathNamed } from '../lib/path-named.ts'
import { listBackups } from './backup/daily-backup.ts'
import { openBackup } from './backup/read-backup.ts'
import { measureHome } from './measure-home.ts'
import { runInThread } from './run-in-thread.ts'

type Parts = {
  home: string
  /** The database in use. */
  database: string
  version: string
  now(): number
  /** Why the last daily backup was not made. */
  trouble(): string | null
}

/** Sizes, backups and restoring them. */
export function dataHandlers({ home, database, version, now, trouble }: Parts) {
  return {
    async 'data.sizes'(_input, signal) {
      const parts = await measureHome(home, signal)
      return { home, parts, bytes: parts.reduce((sum, part) => sum + part.bytes, 0) }
    },
    'data.export': ({ path, format, chat, replace }, signal) =>
      runInThread(
        'export',
        { database, target: absoluteFile(path), format, chat, replace, now: now() },
        signal,
      ),
    'data.backups': () => ({ folder: backupFolder(home), backups: listBackups(home), trouble: trouble() }),
    'data.backup': ({ path, keys, files }, signal) =>
      runInThread(
        'backup',
        {
          home,
          database,
          target: absoluteFile(path),
          kind: 'manual',
          wanted: { keys, files },
          version,
          now: now(),
        },
        signal,
      ),
    async 'data.inspect'({ path }) {
      const { manifest, bytes, path: file } = await openBackup(absoluteFile(path))
      const { chats, files, ...rest } = manifest
      return { ...rest, path: file, bytes, chats: chats.length, files: files.length }
    },
    'data.restore': ({ path, folder }, signal) =>
      runInThread('restore', { path: absoluteFile(path), folder: absoluteFile(folder) }, signal),
  } satisfies Partial<HostHandlers>
}

function absoluteFile(given: string): string {
  const path = pathNamed(given)
  if (isRefusal(path)) throw new Fault('bad_input', path.refused)
  return path
}
