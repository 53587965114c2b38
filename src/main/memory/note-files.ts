import { createHash } from 'node:crypto'
import { isUtf8 } from 'node:buffer'
import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { MemoryProject, MemoryTarget } from '../../shared/contract/memory.ts'
import { reasonOf } from '../lib/reason-of.ts'
import { writeAtomic } from '../lib/write-atomic.ts'

/** One file of the notebook: about the person, notes that hold everywhere, or notes of a project. */
export type Place = { target: MemoryTarget; project: string | null }

/** Nobody's notes are longer; something else lies there. */
const MOST_BYTES = 2_000_000

/** Where a file of the notebook lies. */
export function pathOf(home: string, { target, project }: Place): string {
  const folder = join(home, 'memories')
  if (target === 'user') return join(folder, 'USER.md')
  return project === null ? join(folder, 'MEMORY.md') : join(folder, 'projects', project, 'MEMORY.md')
}

/** The project of a folder, which is an absolute path; the same folder gives the same project. */
export const projectOf = (folder: string): MemoryProject => ({
  id: createHash('sha256').update(folder).digest('hex').slice(0, 12),
  name: basename(folder) || folder,
  folder,
})

/** The text of a file, empty when there is none; or why it cannot be read, so that it must not be overwritten either. */
export function readNotes(path: string): { text: string } | { reason: string } {
  try {
    if (statSync(path).size > MOST_BYTES) return { reason: 'it is far too long for notes' }
    const bytes = readFileSync(path)
    return isUtf8(bytes) ? { text: bytes.toString('utf8') } : { reason: 'it is not UTF-8 text' }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return { text: '' }
    if (code === undefined) throw error
    return { reason: reasonOf(code) }
  }
}

/** Replace a file of the notebook; a crash leaves the old or the new one. Throws what the disk says. */
export function writeNotes(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  writeAtomic(path, text, { mode: 0o600 })
}
