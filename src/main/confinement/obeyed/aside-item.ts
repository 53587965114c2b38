import { createHash } from 'node:crypto'
import { cpSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileErrorCode, namesIn, reasonOf, type Refusal } from '../../lib/expected-errors.ts'
import { statOf } from './follow-links.ts'
import { nameIn } from './obeyed-state.ts'
import { moveOut, putInPlace } from './put-aside.ts'

/** A file, folder or link that lies aside. */
export type AsideItem = {
  /** Where it was in the folder, who obeys it, and where it is now. */
  name: string
  by: string
  at: string
  /** False for another text of a file that was there and was put back. */
  isNew: boolean
  /** What is in it, for a person: each file with its beginning. */
  files: readonly { name: string; text: string }[]
  /** How many files there are beside those shown. */
  more: number
  /** Put it where it was, if nothing is there meanwhile and it is still what was shown. */
  place(): Refusal | undefined
}

/** Files of which the text is shown, and characters of each. */
const MOST_SHOWN = { files: 8, characters: 4_000 }
const MOST_FILES = 2_000

/** What to put aside, out of which folder, and into which. */
type AsideStart = Record<'root' | 'path' | 'at' | 'by', string> & { isNew: boolean }

/** Put something aside, into a folder that does not exist yet. */
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
  return {
    name: nameIn(root, path),
    by,
    at,
    isNew,
    files: shown,
    more: found.length - shown.length,
    place() {
      try {
        // What still has the file open could write to it after it was read: a copy is what was shown.
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

type Inside = { inside: string; text: string; mode: number }

/** All files and links of a file or folder, in order. A link is described by where it leads. */
function listInside(at: string): Inside[] {
  const found: Inside[] = []
  const walk = (path: string, inside: string) => {
    const stats = statOf(path)
    if (!stats || found.length >= MOST_FILES) return
    if (stats.isDirectory())
      for (const name of namesIn(path).toSorted())
        walk(join(path, name), inside === '' ? name : join(inside, name))
    else
      found.push({
        inside,
        text: textOf(path, stats.isSymbolicLink(), stats.isFile()),
        mode: Number(stats.mode),
      })
  }
  walk(at, '')
  return found
}

function textOf(path: string, isLink: boolean, isFile: boolean): string {
  try {
    if (isLink) return `→ ${readlinkSync(path)}`
    return isFile ? readFileSync(path, 'utf8') : '(not a file)'
  } catch {
    return '(cannot be read)'
  }
}

const hashOf = (found: readonly Inside[]) => createHash('sha256').update(JSON.stringify(found)).digest('hex')
