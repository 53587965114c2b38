import { lstatSync, realpathSync } from 'node:fs'
import { basename, join, sep } from 'node:path'
import { reasonOf } from '../../lib/reason-of.ts'

/** As long as a path may be on the wire, and as deep as anybody nests. */
const LONGEST = 400
const DEEPEST = 10
const LONGEST_NAME_BYTES = 255
/** Folders that a skill may be given files in. */
const WRITTEN = ['references', 'templates', 'scripts', 'assets']

/** What names are made of: everything that looks like a dot, a slash or an escape is left out by not being here. */
const NAME = /^[\p{L}\p{M}\p{N} ._+@()[\],'\p{Pd}-]+$/u
/** Signs that show nothing, and marks that sit on no letter, make other characters look like something else. */
const DISGUISE = /\p{Default_Ignorable_Code_Point}|(^|[^\p{L}\p{N}\p{M}])\p{M}/u
/** On Windows these open a device, whatever ending and folder they have. */
const DEVICE = /^(con|prn|aux|nul|clock\$|conin\$|conout\$|com\d|lpt\d)\s*(\.|$)/i

/**
 * Where a path within a skill leads: an absolute path that surely lies in the skill's folder, with no link on the way and
 * none at its end. It need not exist. What holds now may not hold when it is opened; `readInside` looks again.
 */
export function insideSkill(
  folder: string,
  path: string,
  { forWrite = false }: { forWrite?: boolean } = {},
): { path: string } | { refused: string } {
  const refused = refuseSpelling(path) ?? (forWrite ? refusePlace(path) : undefined)
  if (refused !== undefined) return { refused }
  try {
    if (lstatSync(folder).isSymbolicLink()) return { refused: 'The folder of the skill is a link.' }
    return descend(realpathSync(folder), path.split('/'))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    return { refused: `The folder of the skill cannot be opened: ${reasonOf(code)}.` }
  }
}

/** Why a text is not the plain relative path of a file, or undefined. Nothing on the disk is asked. */
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

/** Why a file may not be written there, or undefined. */
function refusePlace(path: string): string | undefined {
  if (path === 'SKILL.md') return undefined
  const names = path.split('/')
  if (names.length < 2 || !WRITTEN.includes(names[0]!)) {
    return 'Files of a skill are SKILL.md or lie below references/, templates/, scripts/ or assets/.'
  }
  if (names.some(name => name.startsWith('.'))) return 'Hidden files are not written into skills.'
  return undefined
}

/** Go down name by name; where nothing is yet, nothing can be a link. */
function descend(root: string, names: readonly string[]): { path: string } | { refused: string } {
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
