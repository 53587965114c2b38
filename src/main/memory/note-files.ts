import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { MemoryProject, MemoryTarget } from '../../shared/contract/learned/memory.ts'
import { writeAtomic } from '../lib/disk/durable-files.ts'

/** One file of the notebook: about the user, general notes (`project` null), or a project's notes. */
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

/** Replace a notebook file atomically: a crash leaves the old or the new text. Throws file system errors. */
export function writeNotes(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  writeAtomic(path, text, { mode: 0o600 })
}

/** A line with only this sign separates two entries. */
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

/** The length of the entries in their file, with separators, without the final line feed, in characters. */
export const entriesLength = (entries: readonly string[]): number =>
  entries.reduce((sum, entry) => sum + entry.length, 0) + Math.max(entries.length - 1, 0) * 3

/**
 * Normalise an entry for storage. Separators inside it would split it on the next read, so they are removed;
 * its ends are trimmed.
 */
export const tidyEntry = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/^[ \t]*§[ \t]*$/gm, '')
    .replace(/(?<![ \t])[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
