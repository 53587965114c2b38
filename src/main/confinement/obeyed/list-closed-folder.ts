import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  type Dirent,
} from 'node:fs'
import { fileErrorCode } from '../../lib/expected-errors.ts'

/** Opens a folder without the right to read it; Node has no name for it. */
const PATH_ONLY = 0o10000000
const MAY = { read: 0o400, enter: 0o100 }

/**
 * The entries of a folder, also of one that its owner may enter but not list: programs find in it what they know by name, as git
 * and editors do, so it must not hide that. Empty for what cannot be read and not be entered.
 */
export function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    return fileErrorCode(error) === 'EACCES' && process.platform === 'linux' ? listClosed(folder) : []
  }
}

/** The names in a folder, as `entriesIn`. */
export const allNamesIn = (folder: string): string[] => entriesIn(folder).map(({ name }) => name)

/** Gives the right to list for a moment. The folder is held open, so that no link in its place is followed. */
function listClosed(folder: string): Dirent[] {
  let descriptor: number | undefined
  try {
    descriptor = openSync(folder, PATH_ONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
    const held = `/proc/self/fd/${descriptor}`
    const { mode, uid } = fstatSync(descriptor)
    if (readlinkSync(held) !== folder || uid !== process.getuid?.() || (mode & MAY.enter) === 0) return []
    const rights = mode & 0o7777
    chmodSync(held, rights | MAY.read)
    try {
      return readdirSync(`${held}/.`, { withFileTypes: true })
    } finally {
      chmodSync(held, rights)
    }
  } catch {
    // It has just gone, or its rights cannot be changed.
    return []
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}
