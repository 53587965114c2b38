import {
  copyFileSync,
  cpSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, isAbsolute, join } from 'node:path'
import { Fault } from '../../shared/rpc.ts'
import { fileErrorCode, namesIn, reasonOf } from '../lib/expected-errors.ts'

/** Large or secret parts that are only read; the copy contains links to them. */
const LINKED = ['models', 'workspace', 'messenger', '.env', 'keys.json']
/** Parts that can be made again, or are not read in a copy. */
const LEFT_OUT =
  /^(\.lock|host\.sock|logs$|cache$|window|quarantine$|backups$|trajectories$|file-copies$|attachments$|inbox$|transfers\.json|page-entry\.json)/
const TRIES = 3
/** The prefix of copies; the number of their process follows. */
const COPY = 'talaria-reading-'

/** How many bytes stay free beside a copy: for the database's log, shared memory, and the host's writes. */
const SPARE = 4 * 1024 * 1024

/**
 * Return folders for copies, best first. On Linux the last two are in memory: if the disk is full, its folder
 * for temporary files is usually on the same disk.
 */
const placesForCopies = (): string[] => [
  ...new Set(
    [
      tmpdir(),
      ...(process.platform === 'linux' ? [process.env['XDG_RUNTIME_DIR'] ?? '', '/dev/shm'] : []),
    ].filter(place => isAbsolute(place)),
  ),
]

/**
 * Make a private copy of a home that is not writable. The host may read and write there, and nothing of it
 * reaches the home. Even reading a database in WAL mode needs room for its log and shared memory. Ours cannot
 * be opened as immutable, because better-sqlite3 is built without URI names. Throws a `not_ready` Fault if no
 * copy can be made.
 */
export function mirrorHome(
  home: string,
  places: readonly string[] = placesForCopies(),
  roomIn: (folder: string) => number = roomOn,
): { path: string; close(): void } {
  let why = ''
  const needed = sizeOfCopy(home) + SPARE
  for (const place of places) {
    let path: string | undefined
    try {
      if (roomIn(place) < needed) throw Object.assign(new Error(), { code: 'ENOSPC' })
      path = mkdtempSync(join(place, `${COPY}${process.pid}-`))
      copyHome(home, path)
      const made = path
      return { path: made, close: () => removeMirror(made) }
    } catch (error) {
      if (path !== undefined) removeMirror(path)
      why ||= reasonOf(fileErrorCode(error))
    }
  }
  throw new Fault(
    'not_ready',
    `${home} cannot be read: ${why}. Free ${Math.ceil(needed / 1e6)} MB for a copy in ${places[0]}, and try again.`,
  )
}

/** Return how many bytes can still be written to a folder; infinite if the file system does not say. */
export function roomOn(folder: string): number {
  try {
    const { bavail, bsize, blocks } = statfsSync(folder)
    return blocks > 0 ? bavail * bsize : Infinity
  } catch {
    return Infinity
  }
}

const isCopied = (name: string) => !LEFT_OUT.test(name) && !LINKED.includes(name)

/** Return the size of a copy in bytes; unreadable parts are reported when they are copied. */
function sizeOfCopy(home: string): number {
  const sizeOf = (path: string): number => {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (stats?.isDirectory())
      return namesIn(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 4_096)
    return stats?.size ?? 0
  }
  return namesIn(home)
    .filter(isCopied)
    .reduce((sum, name) => sum + sizeOf(join(home, name)), 0)
}

function copyHome(home: string, to: string): void {
  for (const name of readdirSync(home)) {
    if (LINKED.includes(name)) symlinkSync(join(home, name), join(to, name))
    else if (isCopied(name) && !name.startsWith('state.'))
      cpSync(join(home, name), join(to, name), {
        recursive: true,
        verbatimSymlinks: true,
        preserveTimestamps: true,
      })
  }
  copyDatabaseFiles(home, to)
}

/** Copy the database and its log, again until nothing changed: another computer may be writing them. */
function copyDatabaseFiles(home: string, to: string): void {
  const parts = () => readdirSync(home).filter(name => /^state\.(safe(-\d)?\.)?db(-wal)?$/.test(name))
  const stamp = () =>
    parts()
      .map(name => {
        const { size, mtimeMs } = statSync(join(home, name))
        return `${name} ${size} ${mtimeMs}`
      })
      .join()
  for (let tried = 0; tried < TRIES; tried++) {
    const before = stamp()
    for (const name of parts()) copyFileSync(join(home, name), join(to, name))
    if (before === stamp()) return
  }
}

/** Remove a copy. Refuses any folder that is not named like one. */
function removeMirror(path: string): void {
  if (!basename(path).startsWith(COPY)) return
  rmSync(path, { recursive: true, force: true })
}

/** Remove the copies of killed processes: users would not look for chats and memory there. */
export function removeLeftCopies(): void {
  for (const place of placesForCopies())
    for (const name of namesIn(place)) {
      const pid = Number(new RegExp(`^${COPY}(\\d+)-`).exec(name)?.[1])
      const path = join(place, name)
      const stats = pid > 0 ? lstatSync(path, { throwIfNoEntry: false }) : undefined
      const isOwn = stats?.isDirectory() && (process.getuid === undefined || stats.uid === process.getuid())
      if (isOwn && !isRunning(pid)) removeMirror(path)
    }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return fileErrorCode(error) !== 'ESRCH'
  }
}
