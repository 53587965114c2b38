import { realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isRefusal, namesIn } from '../../lib/expected-errors.ts'
import { pathOf, type Place } from '../note-files.ts'
import { copyNamed, heldInCloud, isFolderCopy, type NamedCopy } from './copy-names.ts'
import { readNotes } from './read-notes.ts'

/** A file beside a memory file, probably left by another computer or program. */
export type FoundCopy = Place & {
  path: string
  /** The program that uses such names; null if the name does not reveal it. */
  by: string | null
  /** Its text, or the reason why it cannot be read. */
  text: string | null
  reason: string
}

/** Maximum number of copies to read. */
const MOST_COPIES = 40
/** Maximum size of a copy, in bytes. A copy of notes is about as long as notes. */
const MAX_COPY_BYTES = 200_000

/** Find the copies beside the memory files of these places, and in copies of the whole folder. */
export function findCopies(home: string, places: readonly Place[]): FoundCopy[] {
  const folders = new Map(places.map(place => [dirname(pathOf(home, place)), place.project]))
  const found = [...folders].flatMap(([folder, project]) => copiesIn(folder, project))
  const inCopies = namesIn(home)
    .filter(isFolderCopy)
    .flatMap(name => copiesIn(join(home, name), null, true))
  return [...found, ...inCopies].slice(0, MOST_COPIES).map(readCopy)
}

type Named = Omit<FoundCopy, 'text' | 'reason'>

function copiesIn(folder: string, project: string | null, isCopy = false): Named[] {
  return namesIn(folder)
    .toSorted()
    .flatMap(name => {
      const named = copyNamed(heldInCloud(name) ?? name) ?? (isCopy ? ownName(name) : undefined)
      // Projects have only notes.
      if (!named || (project !== null && named.of === 'USER.md')) return []
      const path = join(folder, name)
      if (!isCopy && isSameFile(path, join(folder, named.of))) return []
      const target = named.of === 'USER.md' ? ('user' as const) : ('memory' as const)
      const by = heldInCloud(name) === undefined ? named.by : 'iCloud Drive'
      return [{ target, project, path, by }]
    })
}

const ownName = (name: string): NamedCopy | undefined =>
  name === 'USER.md' || name === 'MEMORY.md' ? { of: name, by: null } : undefined

/** On case-insensitive disks, a name in another case is the same file. */
function isSameFile(path: string, other: string): boolean {
  try {
    return realpathSync.native(path) === realpathSync.native(other)
  } catch {
    // A broken link is not the same file.
    return false
  }
}

function readCopy(named: Named): FoundCopy {
  if (heldInCloud(basename(named.path)) !== undefined)
    return { ...named, text: null, reason: 'it is in iCloud and not on this computer' }
  const found = readNotes(named.path, MAX_COPY_BYTES)
  if (isRefusal(found)) return { ...named, text: null, reason: found.refused }
  return { ...named, text: found.text, reason: '' }
}
