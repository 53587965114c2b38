import {
  copyFileSync,
  cpSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
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

/**
 * A private copy of a home that cannot be written, in the system's folder for temporary files: the host may read and write
 * there, and nothing of it reaches the home. Throws a `not_ready` Fault when it cannot be made.
 */
export function mirrorHome(home: string): { path: string; close(): void } {
  let path: string | undefined
  try {
    path = mkdtempSync(join(tmpdir(), `${COPY}${process.pid}-`))
    for (const name of readdirSync(home)) {
      if (LEFT_OUT.test(name) || name.startsWith('state.')) continue
      if (LINKED.includes(name)) symlinkSync(join(home, name), join(path, name))
      else
        cpSync(join(home, name), join(path, name), {
          recursive: true,
          verbatimSymlinks: true,
          preserveTimestamps: true,
        })
    }
    copyDatabaseFiles(home, path)
  } catch (error) {
    if (path !== undefined) removeMirror(path)
    const why = reasonOf(fileErrorCode(error))
    throw new Fault(
      'not_ready',
      `${home} cannot be read: ${why}. Free some space in ${tmpdir()}, and try again.`,
    )
  }
  const made = path
  return { path: made, close: () => removeMirror(made) }
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
  for (const name of namesIn(tmpdir())) {
    const pid = Number(new RegExp(`^${COPY}(\\d+)-`).exec(name)?.[1])
    const path = join(tmpdir(), name)
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
