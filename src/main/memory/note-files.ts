import { createHash } from 'node:crypto'
import { isUtf8 } from 'node:buffer'
import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { MemoryProject, MemoryTarget } from '../../shared/contract/memory.ts'
import { fileErrorCode, reasonOf, type Refusal } from '../lib/expected-errors.ts'
import { decodeText } from '../lib/encodings/decode-text.ts'
import { writeAtomic } from '../lib/durable-files.ts'

/** One file of the notebook: about the user, general notes (`project` null), or notes of one project. */
export type Place = { target: MemoryTarget; project: string | null }

/** Whether an entry or place is in this place. */
export const isIn = (entry: Place, { target, project }: Place): boolean =>
  entry.target === target && entry.project === project

/** The place as written in a revision: `user`, `memory`, `memory:1a2b3c`. */
export const placeName = ({ target, project }: Place): string =>
  project === null ? target : `${target}:${project}`

/** The inverse of `placeName`. */
export function placeNamed(name: string): Place {
  const [target, project = null] = name.split(':')
  return { target: target === 'user' ? 'user' : 'memory', project }
}

/** Upper bound on the size of a notes file; a larger one is not ours. */
const MAX_BYTES = 2_000_000

/** Path of a notebook file. */
export function pathOf(home: string, { target, project }: Place): string {
  const folder = join(home, 'memories')
  if (target === 'user') return join(folder, 'USER.md')
  return project === null ? join(folder, 'MEMORY.md') : join(folder, 'projects', project, 'MEMORY.md')
}

/** The project of a folder, given as an absolute path. The same folder always gives the same project. */
export const projectOf = (folder: string): MemoryProject => ({
  id: createHash('sha256').update(folder).digest('hex').slice(0, 12),
  name: basename(folder) || folder,
  folder,
})

/** The text of a file, empty if it does not exist. With a refusal, it cannot be read and must not be overwritten. */
export const readNotes = (path: string): { text: string } | Refusal =>
  readWith(path, bytes =>
    isUtf8(bytes) ? { text: bytes.toString('utf8') } : { refused: 'it is not UTF-8 text' },
  )

/** The text of notes that another program wrote, in whatever encoding it certainly is. They are only read. */
export const readForeignNotes = (path: string): { text: string } | Refusal =>
  readWith(path, bytes => {
    const read = decodeText(bytes)
    if (read === undefined) return { refused: 'it is not text' }
    if (read.exact && !read.isUnsure) return { text: read.text }
    return { refused: 'it is not UTF-8 text, and what else it is is not certain; save it as UTF-8' }
  })

function readWith(
  path: string,
  read: (bytes: Buffer) => { text: string } | Refusal,
): { text: string } | Refusal {
  try {
    if (statSync(path).size > MAX_BYTES) return { refused: 'it is far too long for notes' }
    return read(readFileSync(path))
  } catch (error) {
    const code = fileErrorCode(error)
    if (code === 'ENOENT') return { text: '' }
    return { refused: reasonOf(code) }
  }
}

/** Replace a notebook file atomically: after a crash, either version is there. Throws the file system's error. */
export function writeNotes(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  writeAtomic(path, text, { mode: 0o600 })
}

/** A line with only this separates two entries. */
const SEPARATOR = '§'

/** The entries of a file, in order. Surrounding white space and empty entries are ignored. */
export const parseNotes = (text: string): string[] =>
  text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .split(/^[ \t]*§[ \t]*$/m)
    .map(entry => entry.trim())
    .filter(entry => entry !== '')

/** The file content for these entries. */
export const formatNotes = (entries: readonly string[]): string =>
  entries.length === 0 ? '' : `${entries.join(`\n${SEPARATOR}\n`)}\n`

/** Characters that entries take in their file, with separators but without the final line feed. */
export const entriesLength = (entries: readonly string[]): number =>
  entries.reduce((sum, entry) => sum + entry.length, 0) + Math.max(entries.length - 1, 0) * 3

/**
 * Normalise an entry for storage: separators inside it are removed, because they would split it on the next
 * read, and its ends are trimmed.
 */
export const tidyEntry = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/^[ \t]*§[ \t]*$/gm, '')
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
