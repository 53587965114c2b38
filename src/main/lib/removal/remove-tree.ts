import { randomBytes } from 'node:crypto'
import { lstat, opendir, rename, rmdir, unlink } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileErrorCode } from '../expected-errors.ts'
import { holdingAt, holdInside, holdParent, openUp, type Holding, type OwnFolder } from './own-folder.ts'
import { listLeft, type LeftList, type Unremoved } from './unremoved.ts'

type Options = {
  /** Ends the removal between two steps. The next removal continues. */
  signal?: AbortSignal | undefined
  /** For tests only. */
  holding?: Holding
}

/** How often to retry something that is briefly in use, and how long to wait before each try, in ms. */
const TRIES = 3
const PAUSE_MS = 100

/**
 * Remove a file, or a folder with everything in it, whatever its rights, names, number and depth. Links are
 * removed, never followed. Returns what could not be removed, with the reason; a missing path is not an
 * error. Only an aborted signal throws.
 */
export async function removeTree(path: string, options: Options = {}): Promise<Unremoved[]> {
  for (let attempt = 1; ; attempt++) {
    const left = await removeOnce(resolve(path), options)
    if (!left.mayPass || attempt === TRIES) return left.items
    await sleep(PAUSE_MS)
  }
}

async function removeOnce(path: string, { signal, holding: given }: Options): Promise<LeftList> {
  const left = listLeft()
  try {
    const holding = given ?? (await holdingAt(dirname(path)))
    await using parent = await holdParent(dirname(path), holding)
    const name = Buffer.from(basename(path))
    let outcome = await drop(parent, name)
    if (outcome === 'EACCES') {
      // The folder around it is ours, and may have been closed too.
      await openUp(parent)
      outcome = await drop(parent, name)
    }
    if (outcome === 'full') {
      await using root = await holdInside(parent, name, holding)
      await emptyRoot({ root, path, holding, left, signal, stuck: new Set() })
      outcome = await drop(parent, name)
      if (left.count > 0 && outcome === 'full') return left
    }
    if (outcome !== 'gone') left.add(path, outcome === 'full' ? 'ENOTEMPTY' : outcome)
  } catch (error) {
    signal?.throwIfAborted()
    const code = fileErrorCode(error)
    if (code !== 'ENOENT') left.add(path, code)
  }
  return left
}

/** Maximum number of folders to move up before removing them, because a folder can only hold so many. */
const MOVED_AT_ONCE = 1_000
/** Maximum number of passes over a folder, in case something keeps writing into it. */
const LOOKS = 1_000
/** How many names to read at a time. */
const READ_AT_ONCE = 64

type Emptying = {
  root: OwnFolder
  path: string
  holding: Holding
  left: LeftList
  signal: AbortSignal | undefined
  /** Names in the root that cannot be removed, so that they are tried only once. */
  stuck: Set<string>
}

/**
 * Empty a folder. Only one level of each inner folder is ever entered: deeper folders are first moved up into
 * the root under a short name, so that no path gets long. A kill leaves a smaller tree in the same place.
 */
async function emptyRoot(work: Emptying): Promise<void> {
  const { root, path, left, signal, stuck } = work
  for (let look = 0; look < LOOKS; look++) {
    let isNew = false
    for await (const { name, isFile } of entriesOf(root)) {
      signal?.throwIfAborted()
      if (stuck.has(keyOf(name))) continue
      isNew = true
      const outcome = await drop(root, name, isFile)
      if (outcome === 'full') await emptyBelow(work, name)
      else if (outcome !== 'gone') giveUp(work, name, outcome)
    }
    if (!isNew) return
  }
  left.add(path, 'ENOTEMPTY')
}

/** Remove a folder of the root, and everything moved up from it. */
async function emptyBelow(work: Emptying, first: Buffer): Promise<void> {
  const { root, signal } = work
  const waiting = [first]
  const visits = new Map<string, number>()
  for (let name = waiting.pop(); name; name = waiting.pop()) {
    const key = keyOf(name)
    const visit = (visits.get(key) ?? 0) + 1
    visits.set(key, visit)
    const outcome = await drop(root, name)
    if (outcome === 'full' && visit < LOOKS) {
      try {
        const moved = await emptyOne(work, name)
        // Remove it after the folders that were moved out of it.
        if (moved) waiting.push(name, ...moved)
        else work.stuck.add(key)
      } catch (error) {
        signal?.throwIfAborted()
        giveUp(work, name, fileErrorCode(error))
      }
      continue
    }
    visits.delete(key)
    if (outcome !== 'gone') giveUp(work, name, outcome === 'full' ? 'ENOTEMPTY' : outcome)
  }
}

/** Empty a folder of the root, moving its folders up. Returns their new names; undefined if stuck. */
async function emptyOne(work: Emptying, name: Buffer): Promise<Buffer[] | undefined> {
  const { root, path, holding, left, signal } = work
  await using folder = await holdInside(root, name, holding)
  if (folder.stats.dev !== root.stats.dev)
    throw Object.assign(new Error('Another disk is mounted there.'), { code: 'EBUSY' })
  const moved: Buffer[] = []
  const before = left.count
  let went = 0
  for await (const { name: child, isFile } of entriesOf(folder)) {
    signal?.throwIfAborted()
    let outcome = await drop(folder, child, isFile)
    if (outcome === 'full') {
      const up = Buffer.from(`.${randomBytes(9).toString('hex')}`)
      outcome = await moveUp({ folder, child, root, up, holding })
      if (outcome === 'gone' && moved.push(up) === MOVED_AT_ONCE) break
    }
    if (outcome === 'gone') went++
    else left.add(join(path, name.toString(), child.toString()), outcome)
  }
  return went + moved.length > 0 || left.count === before ? moved : undefined
}

const giveUp = ({ left, stuck, path }: Emptying, name: Buffer, code: string): void => {
  stuck.add(keyOf(name))
  left.add(join(path, name.toString()), code)
}

const keyOf = (name: Buffer) => name.toString('latin1')

type Move = { folder: OwnFolder; child: Buffer; root: OwnFolder; up: Buffer; holding: Holding }

async function moveUp({ folder, child, root, up, holding }: Move): Promise<Exclude<Dropped, 'full'>> {
  try {
    // A folder cannot be moved if its owner may not write to it.
    await (await holdInside(folder, child, holding))[Symbol.asyncDispose]()
    await rename(folder.at(child), root.at(up))
    return 'gone'
  } catch (error) {
    return goneOr(error)
  }
}

/** `gone`, `full` for a non-empty folder, or the error code. */
type Dropped = 'gone' | 'full' | (string & {})

/** Remove an entry unless it is a non-empty folder. `isFile` saves a stat for known files. */
async function drop(folder: OwnFolder, name: Buffer, isFile = false): Promise<Dropped> {
  const path = folder.at(name)
  try {
    await (!isFile && (await lstat(path)).isDirectory() ? rmdir(path) : unlink(path))
    return 'gone'
  } catch (error) {
    const code = goneOr(error)
    return code === 'ENOTEMPTY' || code === 'EEXIST' ? 'full' : code
  }
}

/** Codes for an entry that was replaced meanwhile. It counts as gone: the next pass finds the new one. */
const CHANGED = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EISDIR', 'EINVAL'])

function goneOr(error: unknown): string {
  const code = fileErrorCode(error)
  return CHANGED.has(code) ? 'gone' : code
}

/** Yield a folder's entries with the raw bytes of their names, a few at a time: there may be millions. */
async function* entriesOf({ self }: OwnFolder): AsyncGenerator<{ name: Buffer; isFile: boolean }, void> {
  for await (const entry of await opendir(self, { bufferSize: READ_AT_ONCE, encoding: 'latin1' }))
    yield { name: Buffer.from(entry.name, 'latin1'), isFile: entry.isFile() }
}
