import { realpath, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileErrorCode, isRefusal, reasonOf, type Refusal } from '../../lib/expected-errors.ts'
import { readStart } from '../../lib/disk/read-file-start.ts'
import { isCredential, mayHoldKeys } from '../../files/paths/credential-paths.ts'
import { isInside } from '../../files/paths/resolve-path.ts'
import { decodeText, type TextFile } from '../../lib/encodings/decode-text.ts'
import { isUtf8 } from 'node:buffer'
import { isClear } from './mentions.ts'

/** The real folder that instructions may come from, and Talaria's home, whose own files are never allowed. */
export type Area = { folder: string; home: string }

/** The beginning of a file of instructions. `real` is its path after all links were followed. */
export type ReadFile = { text: string; real: string }

/** Why a file is not read, as a phrase that continues “because it …”. `missing`: nothing exists there. */
export type NotRead = Refusal & { missing?: boolean }

const MOST_LINKS = 5

/**
 * Read the first `limit` characters of a file of instructions, unless it leads out of the area or may hold
 * keys. A one-line file that names another file is followed: git writes this in place of links, as on
 * Windows.
 */
export async function readInside(area: Area, path: string, limit: number): Promise<ReadFile | NotRead> {
  let at = path
  let line = ''
  const passed = new Set<string>()
  for (;;) {
    const read = await readOne(area, at, limit)
    if (isRefusal(read)) {
      if (passed.size === 0) return read
      return { refused: `only names another file, ${line}, which ${read.refused}` }
    }
    const next = linkIn(read)
    if (next === undefined) return read
    passed.add(read.real)
    const target = await realOr(next)
    line = read.text.trim().slice(0, 200)
    if (target === undefined) {
      // A word that is not a file is the file's own text; a path is a link that leads nowhere.
      if (!isLinkLike(read.text)) return read
      return { refused: `only names another file, ${line}, which does not exist` }
    }
    if (target === 'folder') return read
    if (passed.has(target) || passed.size >= MOST_LINKS)
      return { refused: 'only names another file, and that leads in a circle' }
    at = next
  }
}

/** The target of a one-line file that may stand for a link. */
function linkIn({ text, real }: ReadFile): string | undefined {
  const line = text.trim()
  if (line === '' || line.length > 500 || /[\p{Cc}]|:\/\//u.test(line) || line.startsWith('@'))
    return undefined
  return resolve(join(real, '..'), line.replaceAll('\\', '/'))
}

const isLinkLike = (text: string) => !/\s/.test(text.trim()) && isClear(text.trim())

/** The real path of a regular file; `folder` for anything else that exists. */
async function realOr(path: string): Promise<string | undefined> {
  try {
    const real = await realpath(path)
    return (await stat(real)).isFile() ? real : 'folder'
  } catch (error) {
    fileErrorCode(error)
    return undefined
  }
}

async function readOne({ folder, home }: Area, path: string, limit: number): Promise<ReadFile | NotRead> {
  try {
    const real = await realpath(path)
    if (!isInside(folder, real)) return { refused: 'leads out of the folder that you trust' }
    if (isCredential(real) || mayHoldKeys(real) || isOfGit(folder, real))
      return { refused: 'may hold keys or passwords' }
    if (isInside(home, real) && !isInside(home, folder)) return { refused: 'belongs to Talaria itself' }
    // Check before opening, because opening a pipe would wait for a writer.
    const found = await stat(real)
    if (found.isDirectory()) return { refused: 'is a folder' }
    if (!found.isFile()) return { refused: 'is no ordinary file' }
    const file = decodeStart(await readStart(real, limit * 4 + 4), found.size)
    if (file === undefined || file.text.includes('\0')) return { refused: 'is not text' }
    if (file.isUnsure) return { refused: 'is not UTF-8 text, and its encoding is not sure; save it as UTF-8' }
    return { text: file.text, real }
  } catch (error) {
    const code = fileErrorCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return { refused: 'does not exist', missing: true }
    if (code === 'ELOOP') return { refused: 'is a link that leads in a circle' }
    return { refused: `cannot be read: ${reasonOf(code)}`, missing: code === 'ENAMETOOLONG' }
  }
}

/** Decode the start of a file, which may end within a character. */
function decodeStart(start: Buffer, size: number): TextFile | undefined {
  if (start.length >= size) return decodeText(start)
  for (let less = 0; less < 4; less++) {
    const whole = start.subarray(0, start.length - less)
    if (isUtf8(whole)) return decodeText(whole)
  }
  const end = start.includes(0) ? -1 : start.lastIndexOf(0x0a)
  return decodeText(end > 0 ? start.subarray(0, end + 1) : start)
}

/** Whether a path is in a `.git` folder, whose settings may contain addresses with passwords. */
const isOfGit = (folder: string, real: string) => /(^|[\\/])\.git([\\/]|$)/i.test(real.slice(folder.length))
