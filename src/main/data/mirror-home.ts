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

/** Large, or secret, and only read: the copy has links to them. */
const LINKED = ['models', 'workspace', 'messenger', '.env', 'keys.json']
/** What is made again, and what nobody reads here. */
const LEFT_OUT =
  /^(\.lock|host\.sock|logs$|cache$|window|quarantine$|backups$|trajectories$|file-copies$|attachments$|inbox$|transfers\.json|page-entry\.json)/
const TRIES = 3
/** How copies are named; the number of their process follows. */
const COPY = 'talaria-reading-'

/** What stays free beside a copy, in bytes: the log of its database, its shared memory, and what the host writes while it reads. */
const SPARE = 4 * 1024 * 1024

/**
 * Folders for copies, best first. On Linux the last two are in memory: where the disk is full, its folder for temporary files
 * mostly lies on the same disk.
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
 * A private copy of a home that cannot be written: the host may read and write there, and nothing of it reaches the home. A
 * database in WAL mode needs room for its log and shared memory even to be read, and ours cannot be opened as immutable, since
 * better-sqlite3 is built without URI names. Throws a `not_ready` Fault when no copy can be made.
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

/** Bytes that can still be written into a folder. Some file systems say nothing of their size, and count as having room. */
export function roomOn(folder: string): number {
  try {
    const { bavail, bsize, blocks } = statfsSync(folder)
    return blocks > 0 ? bavail * bsize : Infinity
  } catch {
    return Infinity
  }
}

const isCopied = (name: string) => !LEFT_OUT.test(name) && !LINKED.includes(name)

/** How much a copy takes, in bytes; what cannot be looked at is told when it is copied. */
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

/** The database and its log. Another computer may be writing to them, so they are copied until nothing changed meanwhile. */
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

/** Folders of a home that may not be written cannot be emptied as they are. */
function removeMirror(path: string): void {
  if (!basename(path).startsWith(COPY)) return
  rmSync(path, { recursive: true, force: true })
}

/** Remove what processes left that were killed: a copy holds chats and memory, and nobody would look for it there. */
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
