import { createHash } from 'node:crypto'
import {
  closeSync,
  constants,
  cpSync,
  openSync,
  readSync,
  readlinkSync,
  rmSync,
  type BigIntStats,
} from 'node:fs'
import { basename, join } from 'node:path'
import { fileErrorCode, reasonOf, type Refusal } from '../../../lib/expected-errors.ts'
import { statOf } from '../follow-links.ts'
import { nameIn } from '../obeyed-state.ts'
import { moveOut, putInPlace } from './put-aside.ts'
import { allNamesIn } from '../list-closed-folder.ts'

/** A file, folder or link that was moved aside. */
export type AsideItem = {
  /** Its former path in the folder, which program obeys it, and its present path. */
  name: string
  by: string
  at: string
  /** False for a changed version of an existing file, which was put back. */
  isNew: boolean
  /** The content for the user: each file with its beginning. */
  files: readonly { name: string; text: string }[]
  /** How many more files there are. */
  more: number
  /** Put it back at its path, if nothing is there now and it is still what was shown. */
  place(): Refusal | undefined
}

/** How many files are shown, and how many characters of each. */
const MOST_SHOWN = { files: 8, characters: 4_000 }
/** Maximum number of files and bytes read from one item, so that its author cannot stall Talaria. */
const MOST_READ = { files: 2_000, bytes: 32 * 2 ** 20 }

/** A request to move something aside: from which folder, and to which. */
type AsideStart = Record<'root' | 'path' | 'at' | 'by', string> & { isNew: boolean }

/** Move something aside, into a folder that does not exist yet. */
export function createAsideItem({ root, path, at: folder, by, isNew }: AsideStart): AsideItem | Refusal {
  const at = join(folder, basename(path))
  const refused = moveOut(root, path, at)
  if (refused) return refused
  const found = listInside(at)
  const shown = found.slice(0, MOST_SHOWN.files).map(({ inside, text }) => {
    const [name] = [nameIn(root, inside === '' ? path : join(path, inside))]
    return {
      name,
      text: text.length > MOST_SHOWN.characters ? `${text.slice(0, MOST_SHOWN.characters)}…` : text,
    }
  })
  const hash = hashOf(found)
  const isTooMuch = found.length >= MOST_READ.files || found.some(each => !each.isWhole)
  return {
    name: nameIn(root, path),
    by,
    at,
    isNew,
    files: shown,
    more: found.length - shown.length,
    place() {
      if (isTooMuch) return { refused: `it is too large to be shown; it lies in ${folder}` }
      try {
        // A program with the file open could still change it, so keep a copy of what was shown.
        const copy = `${at}.copy`
        rmSync(copy, { recursive: true, force: true })
        cpSync(at, copy, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true })
        if (hashOf(listInside(copy)) !== hash) return { refused: 'it was changed after it was shown' }
        const placed = putInPlace(root, copy, path)
        rmSync(placed ? copy : folder, { recursive: true, force: true })
        return placed
      } catch (error) {
        return { refused: reasonOf(fileErrorCode(error)) }
      }
    },
  }
}

/** A file inside an item. `text` is its beginning. `isWhole`: the hash covers the whole content. */
type Inside = { inside: string; text: string; hash: string; isWhole: boolean; mode: number }

/** List all files and links of a file or folder, in order. A link is described by its target. */
function listInside(at: string): Inside[] {
  const found: Inside[] = []
  let left = MOST_READ.bytes
  const walk = (path: string, inside: string) => {
    const stats = statOf(path)
    if (!stats || found.length >= MOST_READ.files) return
    if (stats.isDirectory())
      for (const name of allNamesIn(path).toSorted())
        walk(join(path, name), inside === '' ? name : join(inside, name))
    else {
      const read = readBeginning(path, stats, left)
      left -= read.bytes
      found.push({ inside, ...read.what, mode: Number(stats.mode) })
    }
  }
  walk(at, '')
  return found
}

type What = Pick<Inside, 'text' | 'hash' | 'isWhole'>

/** Read a file in chunks, up to `most` bytes. */
function readBeginning(path: string, stats: BigIntStats, most: number): { what: What; bytes: number } {
  const plain = (text: string) => ({ what: { text, hash: '', isWhole: true }, bytes: 0 })
  try {
    if (stats.isSymbolicLink()) return plain(`→ ${readlinkSync(path)}`)
    if (!stats.isFile()) return plain('(not a file)')
    const descriptor = openSync(
      path,
      constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
    )
    try {
      const hash = createHash('sha256')
      const piece = Buffer.alloc(64 * 1024)
      let text = ''
      let bytes = 0
      for (let count = -1; count !== 0 && bytes < most; bytes += count) {
        count = readSync(descriptor, piece, 0, piece.length, null)
        if (bytes === 0) text = piece.toString('utf8', 0, Math.min(count, 4 * MOST_SHOWN.characters))
        hash.update(piece.subarray(0, count))
      }
      return { what: { text, hash: hash.digest('hex'), isWhole: bytes >= Number(stats.size) }, bytes }
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return plain('(cannot be read)')
  }
}

const hashOf = (found: readonly Inside[]) => createHash('sha256').update(JSON.stringify(found)).digest('hex')
