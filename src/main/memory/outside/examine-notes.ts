import { basename, join } from 'node:path'
import { isRefusal, namesIn } from '../../lib/expected-errors.ts'
import { parseNotes, pathOf, type Place } from '../note-files.ts'
import { findConflict } from './conflict-lines.ts'
import { placeholderOf } from './copy-names.ts'
import { findCopies } from './find-copies.ts'
import { readNotes } from './read-notes.ts'

/** A problem with a memory file, as a sentence, and how to fix it. */
export type NotesTrouble = { text: string; fix: string }

const SETTLE =
  'Choose on the Memory page, or with “talaria memory settle”. The last good version stays in use.'

/**
 * Check the memory files of a home folder without opening its database: for merge conflicts, unreadable and
 * empty files, and copies that another computer left beside them.
 */
export function examineNotes(home: string): { count: number; troubles: NotesTrouble[] } {
  const projects = namesIn(join(home, 'memories', 'projects')).map((project): Place => ({
    target: 'memory',
    project,
  }))
  const places: Place[] = [
    { target: 'user', project: null },
    { target: 'memory', project: null },
    ...projects,
  ]
  const files = places.map(place => ({ path: pathOf(home, place), found: readNotes(pathOf(home, place)) }))
  const troubles = files.flatMap(({ path, found }) => {
    const trouble = troubleOf(path, found)
    return trouble ? [trouble] : []
  })
  const copies = findCopies(home, places).map(({ path, by, reason }) => ({
    text: `${path} is probably a copy that ${by ?? 'another computer'} left${reason === '' ? '' : ` (${reason})`}. Talaria does not use it.`,
    fix: 'Check it and add what is missing, on the Memory page or with “talaria memory settle”. Then remove the copy.',
  }))
  const count = files.filter(({ found }) => !isRefusal(found) && !found.isMissing).length
  return { count, troubles: [...troubles, ...copies] }
}

function troubleOf(path: string, found: ReturnType<typeof readNotes>): NotesTrouble | undefined {
  if (isRefusal(found))
    return {
      text: `${path} cannot be read: ${found.refused}.`,
      fix: 'Repair or move it. Talaria leaves it alone until then.',
    }
  if (found.isMissing) {
    const placeholder = placeholderOf(basename(path))
    if (!namesIn(join(path, '..')).includes(placeholder)) return undefined
    return {
      text: `${path} is in iCloud and not on this computer.`,
      fix: `Download it in the Finder (${placeholder}), or keep the home folder outside iCloud.`,
    }
  }
  if (findConflict(found.text)) return { text: `${path} contains lines of a merge conflict.`, fix: SETTLE }
  if (found.text !== '' && parseNotes(found.text).length === 0)
    return { text: `${path} contains only blank space.`, fix: SETTLE }
  return undefined
}
