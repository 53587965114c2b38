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

/** Flag to open a folder without the right to read it; Node has no constant for it. */
const PATH_ONLY = 0o10000000
const MAY = { read: 0o400, enter: 0o100 }

/**
 * List the entries of a folder, even of one that its owner may enter but not list. Git and editors can open
 * known names there, so such a folder must not hide them. Empty if it can be neither read nor entered.
 */
export function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    return fileErrorCode(error) === 'EACCES' && process.platform === 'linux' ? listClosed(folder) : []
  }
}

/** The names in a folder, with the same rules as `entriesIn`. */
export const allNamesIn = (folder: string): string[] => entriesIn(folder).map(({ name }) => name)

/** List a folder by adding the right to read it for a moment. Held open, so that no link replaces it. */
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
    // The folder has just been removed, or its rights cannot be changed.
    return []
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}
