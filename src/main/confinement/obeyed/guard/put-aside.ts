import {
  chmodSync,
  closeSync,
  constants,
  cpSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileErrorCode, reasonOf, type Refusal } from '../../../lib/expected-errors.ts'
import { isWithin } from '../../profile.ts'
import { statOf } from '../follow-links.ts'
import type { ObeyedEntry } from '../obeyed-state.ts'

/** Opens a folder without the right to read it; Node has no name for it. */
const PATH_ONLY = process.platform === 'linux' ? 0o10000000 : 0

/**
 * Work on an entry of a folder in `root`. A link among the folders above is never followed, also when it is put there in the
 * meantime: on Linux the folder is held open, elsewhere it is looked at just before.
 */
function inFolder<T>(root: string, path: string, work: (entry: string, folder: string) => T): T | Refusal {
  const folder = dirname(path)
  if (!isWithin(root, folder)) return { refused: 'it lies outside the folder' }
  let descriptor: number | undefined
  try {
    if (process.platform !== 'linux') {
      if (realpathSync(folder) !== folder) return { refused: 'a link leads to it' }
      return work(path, folder)
    }
    descriptor = openSync(folder, PATH_ONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
    const held = `/proc/self/fd/${descriptor}`
    if (readlinkSync(held) !== folder) return { refused: 'a link leads to it' }
    return work(join(held, basename(path)), held)
  } catch (error) {
    return { refused: reasonOf(fileErrorCode(error)) }
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** A clock of a disk may be behind, in ms. */
const COARSE_MS = 50

/**
 * Whether a file lay at its path before a moment: neither it nor a folder that leads to it below `root` changed since. Nobody can set
 * back the time that says so.
 */
export function wasThere(path: string, root: string, moment: number): boolean {
  for (let at = path; at !== root; at = dirname(at)) {
    const stats = isWithin(root, at) ? statOf(at) : undefined
    if (!stats || Number(stats.ctimeMs) >= moment - COARSE_MS) return false
  }
  return true
}

/** The topmost link among the folders above a path that was made since a moment. */
export function newLinkTo(path: string, root: string, moment: number): string | undefined {
  let found: string | undefined
  for (let at = dirname(path); at !== root && isWithin(root, at); at = dirname(at)) {
    const stats = statOf(at)
    if (stats?.isSymbolicLink() && Number(stats.ctimeMs) >= moment - COARSE_MS) found = at
  }
  return found
}

/** Move a file, folder or link out of a folder, to a path that does not exist yet. A link is moved as a link. */
export function moveOut(root: string, path: string, to: string): Refusal | undefined {
  const moved = inFolder(root, path, (entry, folder) => {
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 })
    try {
      moveEntry(entry, to)
    } catch (error) {
      if (!['EACCES', 'EPERM'].includes(fileErrorCode(error))) throw error
      openUp(entry, folder)
      moveEntry(entry, to)
    }
    return undefined
  })
  return moved
}

/** To move a folder, its owner needs the right to write to it and to the one above. */
function openUp(entry: string, folder: string): void {
  chmodSync(folder, (lstatSync(`${folder}/.`).mode & 0o7777) | 0o700)
  const stats = lstatSync(entry)
  if (stats.isDirectory()) chmodSync(entry, (stats.mode & 0o7777) | 0o700)
}

function moveEntry(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if (fileErrorCode(error) !== 'EXDEV') throw error
    cpSync(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true })
    rmSync(from, { recursive: true })
  }
}

/** Write a file or link again as it was, where nothing is now. */
export function putBack(root: string, entry: ObeyedEntry): Refusal | undefined {
  return inFolder(root, entry.path, at => {
    if (entry.kind === 'link') symlinkSync(entry.target ?? '', at)
    else {
      writeFileSync(at, entry.content ?? '', { flag: 'wx', mode: 0o600 })
      chmodSync(at, entry.mode)
    }
    return undefined
  })
}

/** Copy what was put aside to its place, if nothing is there and the folder of it is. */
export function putInPlace(root: string, from: string, path: string): Refusal | undefined {
  return inFolder(root, path, at => {
    if (lstatSync(at, { throwIfNoEntry: false })) return { refused: 'something is there meanwhile' }
    renameNew(from, at)
    return undefined
  })
}

/** `rename` would replace what came to be there in this moment; a link or folder it would not. */
function renameNew(from: string, to: string): void {
  const isFile = lstatSync(from).isFile()
  if (isFile) writeFileSync(to, '', { flag: 'wx' })
  try {
    moveEntry(from, to)
  } catch (error) {
    if (isFile) rmSync(to, { force: true })
    throw error
  }
}
