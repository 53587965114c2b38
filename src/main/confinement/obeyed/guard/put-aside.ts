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

/** Flag to open a folder without the right to read it; Node has no constant for it. */
const PATH_ONLY = process.platform === 'linux' ? 0o10000000 : 0

/**
 * Work on an entry of a folder in `root` without ever following a link above it, even one created meanwhile.
 * On Linux the folder is held open; elsewhere it is checked just before.
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

/** How coarse the clock of a disk may be, in ms. */
const COARSE_MS = 50

/**
 * Whether a file was already at its path at this moment: neither the file nor a folder below `root` that
 * leads to it has changed since. This relies on a time stamp that programs cannot set.
 */
export function wasThere(path: string, root: string, moment: number): boolean {
  for (let at = path; at !== root; at = dirname(at)) {
    const stats = isWithin(root, at) ? statOf(at) : undefined
    if (!stats || Number(stats.ctimeMs) >= moment - COARSE_MS) return false
  }
  return true
}

/** The topmost link above a path that was created since this moment. */
export function newLinkTo(path: string, root: string, moment: number): string | undefined {
  let found: string | undefined
  for (let at = dirname(path); at !== root && isWithin(root, at); at = dirname(at)) {
    const stats = statOf(at)
    if (stats?.isSymbolicLink() && Number(stats.ctimeMs) >= moment - COARSE_MS) found = at
  }
  return found
}

/** Move a file, folder or link to a path that does not exist yet. A link itself is moved, not its target. */
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

/** Add the write rights that are needed to move a folder: on itself and on its parent. */
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

/** Restore a file or link, if nothing is at its path now. */
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

/** Copy an item to its former path, if nothing is there and its folder exists. */
export function putInPlace(root: string, from: string, path: string): Refusal | undefined {
  return inFolder(root, path, at => {
    if (lstatSync(at, { throwIfNoEntry: false })) return { refused: 'something is there meanwhile' }
    renameNew(from, at)
    return undefined
  })
}

/** Rename without replacing a file that has just appeared: `wx` creates the target first. */
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
