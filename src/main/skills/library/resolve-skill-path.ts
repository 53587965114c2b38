import {
  lstatSync,
  realpathSync,
  closeSync,
  constants,
  fstatSync,
  openSync,
  readlinkSync,
  readSync,
} from 'node:fs'
import { basename, join, sep } from 'node:path'
import { fileErrorCode, reasonOf, isRefusal, type Refusal } from '../../lib/expected-errors.ts'

/** Maximum length of a path in the protocol, in characters, and maximum depth. */
const LONGEST = 400
const DEEPEST = 10
const LONGEST_NAME_BYTES = 255
/** Folders in which a skill can have additional files. */
const WRITTEN = ['references', 'templates', 'scripts', 'assets']

/** Allowed characters in names. All others, such as look-alikes of dots, slashes and escapes, are refused. */
const NAME = /^[\p{L}\p{M}\p{N} ._+@()[\],'\p{Pd}-]+$/u
/** Invisible characters, and combining marks without a letter, can disguise other characters. */
const DISGUISE = /\p{Default_Ignorable_Code_Point}|(^|[^\p{L}\p{N}\p{M}])\p{M}/u
/** Windows opens a device for these names, with any extension and in any folder. */
const DEVICE = /^(con|prn|aux|nul|clock\$|conin\$|conout\$|com\d|lpt\d)\s*(\.|$)/i

/**
 * Resolve a path within a skill to an absolute path inside the skill's folder, without any link. The file
 * need not exist. The result can be outdated when the file is opened, so `readInside` checks again.
 */
export function resolveSkillPath(
  folder: string,
  path: string,
  { forWrite = false }: { forWrite?: boolean } = {},
): { path: string } | Refusal {
  const refused = refuseSpelling(path) ?? (forWrite ? refusePlace(path) : undefined)
  if (refused !== undefined) return { refused }
  try {
    if (lstatSync(folder).isSymbolicLink()) return { refused: 'The folder of the skill is a link.' }
    return descend(realpathSync(folder), path.split('/'))
  } catch (error) {
    const code = fileErrorCode(error)
    return { refused: `The folder of the skill cannot be opened: ${reasonOf(code)}.` }
  }
}

/** The reason why a text is not a plain relative file path; undefined if it is one. The disk is not read. */
function refuseSpelling(path: string): string | undefined {
  if (path === '') return 'The path is empty.'
  if (path.length > LONGEST) return 'The path is too long.'
  if (path.includes('\\')) return 'Write the path with / between its folders.'
  if (path.startsWith('/') || path.startsWith('~') || path.includes(':')) {
    return 'The path must be relative to the skill, such as references/notes.md.'
  }
  const names = path.split('/')
  if (names.length > DEEPEST) return 'The path has too many folders.'
  for (const name of names) {
    const refused = refuseName(name)
    if (refused !== undefined) return refused
  }
  return undefined
}

function refuseName(name: string): string | undefined {
  if (name === '' || name === '.' || name === '..') {
    return 'The path must name a file within the skill, without “.”, “..” or empty parts.'
  }
  if (Buffer.byteLength(name) > LONGEST_NAME_BYTES) return 'A name in the path is too long.'
  if (!NAME.test(name) || DISGUISE.test(name))
    return 'The path has characters that names of files in skills may not have.'
  if (/^[\s]|[\s.]$/u.test(name)) return 'A name in the path begins or ends with a space or ends with a dot.'
  const plain = name.normalize('NFKC')
  if (count(plain) > count(name)) return 'The path has characters that only look like a dot or a slash.'
  if (DEVICE.test(plain)) return 'A name in the path is that of a device on some systems.'
  if (plain.toLowerCase() === '.git') return 'What git keeps is no part of a skill.'
  return undefined
}

const count = (text: string) => text.match(/[./\\⁄∕%:]/gu)?.length ?? 0

/** The reason why a file cannot be written at this path; undefined if it can. */
function refusePlace(path: string): string | undefined {
  if (path === 'SKILL.md') return undefined
  const names = path.split('/')
  if (names.length < 2 || !WRITTEN.includes(names[0]!)) {
    return 'Files of a skill are SKILL.md or lie below references/, templates/, scripts/ or assets/.'
  }
  if (names.some(name => name.startsWith('.'))) return 'Hidden files are not written into skills.'
  return undefined
}

/** Check one path segment after another. A path that does not exist yet contains no link. */
function descend(root: string, names: readonly string[]): { path: string } | Refusal {
  let at = root
  for (const [index, name] of names.entries()) {
    at = join(at, name)
    const stats = lstatSync(at, { throwIfNoEntry: false })
    if (!stats) return { path: join(root, ...names) }
    if (stats.isSymbolicLink()) return { refused: 'The path leads over a link, and links are not followed.' }
    const isLast = index === names.length - 1
    if (!isLast && !stats.isDirectory()) return { refused: `${basename(at)} in the path is not a folder.` }
    if (isLast && !stats.isFile()) return { refused: 'The path is that of a folder, not of a file.' }
  }
  const real = realpathSync(at)
  if (!real.startsWith(root.endsWith(sep) ? root : root + sep)) {
    return { refused: 'The path leads out of the skill.' }
  }
  return { path: at }
}

/** Do not follow a link at the end of the path, and do not block on a pipe. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
/** How often to retry, because editors replace files when they save. */
const TRIES = 3

/** Read a file of a skill, up to `most` bytes. A link that appears during the read is not followed. */
export function readInside(folder: string, path: string, most: number): { bytes: Buffer } | Refusal {
  for (let tries = TRIES; ; tries--) {
    const inside = resolveSkillPath(folder, path)
    if (isRefusal(inside)) return inside
    const isStill = () => 'path' in resolveSkillPath(folder, path)
    try {
      const read = readFile(inside.path, most, isStill)
      if (read) return read
      if (tries === 1) return { refused: 'It was replaced while it was opened.' }
    } catch (error) {
      const code = fileErrorCode(error)
      if (code === 'ENOENT') return { refused: 'There is no such file in the skill.' }
      if (code === 'ELOOP') return { refused: 'The path leads over a link, and links are not followed.' }
      return { refused: `It cannot be opened: ${reasonOf(code)}.` }
    }
  }
}

/** Read a regular file by its real path; undefined if `withFile` refuses it. Throws file system errors. */
export function readFile(
  path: string,
  most: number,
  isStill: () => boolean = () => true,
): { bytes: Buffer } | Refusal | undefined {
  return withFile(path, isStill, (file, size) =>
    size > most ? { refused: `It is longer than ${most} bytes.` } : { bytes: readAll(file, size) },
  )
}

/**
 * Call a function with a regular file open for reading. Undefined if it is not a regular file, or if the open
 * file is not at the given path without links. Where the system cannot report the path of an open file,
 * `isStill` checks the path before and after.
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

/** The path of an open file; undefined if the system cannot report it. */
function realPathOf(file: number): string | undefined {
  if (process.platform !== 'linux') return undefined
  try {
    return readlinkSync(`/proc/self/fd/${file}`)
  } catch (error) {
    fileErrorCode(error)
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
