import { randomBytes } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeAtomic } from '../disk/durable-files.ts'
import { fileErrorCode, namesIn, parseJson } from '../expected-errors.ts'
import { removeTree } from './remove-tree.ts'
import { leftByError, type Unremoved } from './unremoved.ts'

/** A file or folder with words of chats that is being written outside the home, where the user wanted it. */
type Note = { path: string; at: number; pid: number; born: number; mark?: string }

const notesIn = (home: string) => join(home, 'cache', 'unfinished')
/** Tolerance for coarse file times, in ms. */
const COARSE_MS = 2_000
/** Tells this process from an earlier one with the same id, as in a container. */
const BORN = Math.round(performance.timeOrigin)

/**
 * Record in the home that something unfinished is being written, so that after a kill the next start removes
 * it. `mark`: a file in it, without which the folder is somebody else's. Dispose of this once it is finished.
 */
export function noteUnfinished(home: string, path: string, mark?: string): AsyncDisposable {
  const file = join(notesIn(home), `${randomBytes(6).toString('hex')}.json`)
  const note: Note = { path, at: Date.now(), pid: process.pid, born: BORN, ...(mark && { mark }) }
  try {
    mkdirSync(notesIn(home), { recursive: true, mode: 0o700 })
    writeAtomic(file, JSON.stringify(note), { mode: 0o600 })
  } catch (error) {
    // If the home is full, copies on another disk are needed most, so go on without a record.
    fileErrorCode(error)
  }
  return {
    async [Symbol.asyncDispose]() {
      if (!isOurs(note)) await removeTree(file)
    },
  }
}

/** Remove what killed processes left unfinished outside the home. Resolves to what could not be removed. */
export async function removeUnfinished(home: string): Promise<Unremoved[]> {
  const left: Unremoved[] = []
  for (const name of namesIn(notesIn(home))) {
    const file = join(notesIn(home), name)
    left.push(...(await leftByError(settle(file, left), file)))
  }
  return left
}

async function settle(file: string, left: Unremoved[]): Promise<void> {
  const note = readNote(file)
  if (note && isRunning(note)) return
  const stays = note && isOurs(note) ? await removeTree(note.path) : []
  left.push(...stays)
  if (stays.length === 0) await removeTree(file)
}

function readNote(file: string): Note | undefined {
  const note = parseJson(readFileSync(file, 'utf8'))
  if (typeof note !== 'object' || note === null) return undefined
  if (!('path' in note && 'at' in note && 'pid' in note && 'born' in note)) return undefined
  const { path, at, pid, born } = note
  const isNote =
    typeof path === 'string' && typeof at === 'number' && typeof pid === 'number' && typeof born === 'number'
  if (!isNote) return undefined
  return { path, at, pid, born, ...('mark' in note && typeof note.mark === 'string' && { mark: note.mark }) }
}

/** Return whether the file was made after the note: the user may have put another one in its place. */
function isOurs({ path, at, mark }: Note): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (mark !== undefined) return stats?.isDirectory() === true && existsSync(join(path, mark))
  return stats?.isFile() === true && stats.mtimeMs >= at - COARSE_MS
}

function isRunning({ pid, born }: Note): boolean {
  if (pid === process.pid) return born === BORN
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return fileErrorCode(error) === 'EPERM'
  }
}
