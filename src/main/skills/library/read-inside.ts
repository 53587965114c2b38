import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, readSync } from 'node:fs'
import { reasonOf } from '../../lib/expected-errors.ts'
import { insideSkill } from './inside-skill.ts'

/** Do not follow a link at the end of the path, and do not block on a pipe. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
/** Editors replace files when they save. */
const TRIES = 3

/** Read a file of a skill, up to `most` bytes. A link that appears meanwhile is detected and not followed. */
export function readInside(
  folder: string,
  path: string,
  most: number,
): { bytes: Buffer } | { refused: string } {
  for (let tries = TRIES; ; tries--) {
    const inside = insideSkill(folder, path)
    if ('refused' in inside) return inside
    const isStill = () => 'path' in insideSkill(folder, path)
    try {
      const read = readFile(inside.path, most, isStill)
      if (read) return read
      if (tries === 1) return { refused: 'It was replaced while it was opened.' }
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === undefined) throw error
      if (code === 'ENOENT') return { refused: 'There is no such file in the skill.' }
      if (code === 'ELOOP') return { refused: 'The path leads over a link, and links are not followed.' }
      return { refused: `It cannot be opened: ${reasonOf(code)}.` }
    }
  }
}

/** Read a regular file by its real path; undefined when `withFile` refuses it. Throws file system errors. */
export function readFile(
  path: string,
  most: number,
  isStill: () => boolean = () => true,
): { bytes: Buffer } | { refused: string } | undefined {
  return withFile(path, isStill, (file, size) =>
    size > most ? { refused: `It is longer than ${most} bytes.` } : { bytes: readAll(file, size) },
  )
}

/**
 * Use a regular file that is open for reading. Undefined when it is not a regular file, or when the open file
 * is not at the given path without links. Where the system cannot report the path of an open file, `isStill`
 * checks the path before and after.
 */
export function withFile<T>(
  path: string,
  isStill: () => boolean,
  use: (file: number, size: number) => T,
): T | undefined {
  const file = openSync(path, FLAGS)
  try {
    const opened = fstatSync(file)
    if (!opened.isFile()) return undefined
    const real = realPathOf(file)
    if (real === undefined) {
      const before = isStill()
      const there = lstatSync(path)
      if (!before || there.ino !== opened.ino || there.dev !== opened.dev || !isStill()) return undefined
    } else if (real !== path) return undefined
    return use(file, opened.size)
  } finally {
    closeSync(file)
  }
}

/** The path of an open file; undefined where the system cannot report it. */
function realPathOf(file: number): string | undefined {
  if (process.platform !== 'linux') return undefined
  try {
    return readlinkSync(`/proc/self/fd/${file}`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error
    return undefined
  }
}

/** Read `size` bytes, or fewer if the file has shrunk since. */
function readAll(file: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size)
  let length = 0
  while (length < bytes.length) {
    const read = readSync(file, bytes, length, bytes.length - length, null)
    if (read === 0) break
    length += read
  }
  return bytes.subarray(0, length)
}
