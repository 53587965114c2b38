import { realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isRefusal, namesIn } from '../../lib/expected-errors.ts'
import { pathOf, type Place } from '../note-files.ts'
import { copyNamed, heldInCloud, isFolderCopy, type NamedCopy } from './copy-names.ts'
import { readNotes } from './read-notes.ts'

/** A file beside a memory file that another computer or program probably left there. */
export type FoundCopy = Place & {
  path: string
  /** The program that names its copies so; null if the name does not say it. */
  by: string | null
  /** Its text, or why it cannot be read. */
  text: string | null
  reason: string
}

/** Copies beyond this are not read. */
const MOST_COPIES = 40
/** A copy of notes is as long as notes. */
const MAX_COPY_BYTES = 200_000

/** Find the copies that lie beside the memory files of these places, and in copies of the whole folder. */
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
      // Only notes have projects.
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

/** On some disks a name in other case is the file itself. */
function isSameFile(path: string, other: string): boolean {
  try {
    return realpathSync.native(path) === realpathSync.native(other)
  } catch {
    // What cannot be followed is not the file itself.
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
