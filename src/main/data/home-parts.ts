import { readdir, lstat, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { HomeSize } from '../../shared/contract/data.ts'
import { undefinedIfMissing } from '../lib/expected-errors.ts'

/** How a part of the home takes part in backups. `files`: only in a manual backup, which may leave it out. */
export type InBackup = 'always' | 'files' | 'keys' | 'never'

/** A part of the home folder. */
export type HomePart = {
  id: string
  /** Its name for the user. */
  title: string
  /** Names directly in the home; a trailing `*` matches any ending. */
  names: readonly string[]
  inBackup: InBackup
  /** Why it is not backed up, as a phrase that continues “because …”; absent if nobody would miss it. */
  why?: string
}

/** Everything that Talaria keeps in its home, in the order shown to the user. */
const homeParts: readonly HomePart[] = [
  // A backup contains a copy of the database, never these files.
  { id: 'chats', title: 'Chats, search and history', names: ['state.db*', 'state.safe*'], inBackup: 'never' },
  { id: 'memory', title: 'Memory', names: ['memories', 'SOUL.md'], inBackup: 'always' },
  { id: 'skills', title: 'Skills', names: ['skills', 'imported-skills', 'archive'], inBackup: 'always' },
  {
    id: 'settings',
    title: 'Settings and rules',
    names: ['config.yaml', 'permissions.json', 'personalities', 'templates', 'agents'],
    inBackup: 'always',
  },
  {
    id: 'keys',
    title: 'Keys',
    names: ['.env', 'keys.json'],
    inBackup: 'keys',
    why: 'keys are left out unless you ask for them',
  },
  {
    id: 'workspace',
    title: 'Files in the working folders',
    // The second contains a folder for each chat on a messenger.
    names: ['workspace', 'messenger'],
    inBackup: 'files',
    why: 'working folders are left out here',
  },
  {
    id: 'file-copies',
    title: 'Copies of changed files',
    names: ['file-copies'],
    inBackup: 'files',
    why: 'the old content of changed files is left out here',
  },
  {
    id: 'attachments',
    title: 'Attached files',
    names: ['attachments'],
    inBackup: 'files',
    why: 'the contents of attached files are left out here',
  },
  {
    id: 'page-entry',
    title: 'Access of open pages',
    names: ['page-entry.json'],
    inBackup: 'never',
  },
  {
    id: 'connections',
    title: 'Files of connections',
    names: ['connections'],
    inBackup: 'files',
    why: 'the servers’ own files are left out here',
  },
  {
    id: 'connect',
    title: 'Files for connected programs',
    names: ['connect'],
    inBackup: 'never',
  },
  {
    id: 'trajectories',
    title: 'Training data',
    names: ['trajectories'],
    inBackup: 'files',
    why: 'it can be rebuilt from the chats',
  },
  {
    id: 'models',
    title: 'Models',
    names: ['models'],
    inBackup: 'never',
    why: 'model files are large and can be downloaded again',
  },
  {
    id: 'backups',
    title: 'Backups',
    names: ['backups'],
    inBackup: 'never',
    why: 'a backup does not contain other backups',
  },
  { id: 'cache', title: 'Caches', names: ['cache', 'window', 'quarantine'], inBackup: 'never' },
  {
    id: 'inbox',
    title: 'Events of other programs, not read yet',
    names: ['inbox'],
    inBackup: 'never',
    why: 'events stay there only until they are read',
  },
  { id: 'logs', title: 'Logs', names: ['logs'], inBackup: 'never', why: 'they only concern this computer' },
  {
    id: 'other',
    title: 'Other files',
    names: ['.lock*', 'host.sock', 'window.json', 'transfers.json', 'terminal-history'],
    inBackup: 'never',
  },
]

/** Return the part that a name directly in the home belongs to; undefined if it is not Talaria's. */
export const partOf = (name: string): HomePart | undefined =>
  homeParts.find(part =>
    part.names.some(each => (each.endsWith('*') ? name.startsWith(each.slice(0, -1)) : name === each)),
  )

/** Return the size of every non-empty part of a home, in the order of `homeParts`. Follows no inner links. */
export async function measureHome(home: string, signal: AbortSignal): Promise<HomeSize[]> {
  const sums = new Map(homeParts.map(part => [part.id, { bytes: 0, files: 0 }]))
  for (const name of await readdir(home)) {
    const sum = sums.get(partOf(name)?.id ?? 'other')!
    for await (const bytes of filesIn(join(home, name), true)) {
      signal.throwIfAborted()
      sum.bytes += bytes
      sum.files++
    }
  }
  return homeParts.flatMap(({ id, title }) => {
    const { bytes, files } = sums.get(id)!
    return files === 0 ? [] : [{ id, title, bytes, files }]
  })
}

/** Yield the sizes of the files at and below a path. Files that vanish in the meantime are left out. */
async function* filesIn(path: string, isFollowed: boolean): AsyncGenerator<number> {
  const stats = await (isFollowed ? stat(path) : lstat(path)).catch(undefinedIfMissing)
  if (stats?.isDirectory()) for (const name of await readdir(path)) yield* filesIn(join(path, name), false)
  else if (stats?.isFile()) yield stats.size
}
