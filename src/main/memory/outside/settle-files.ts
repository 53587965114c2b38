import { basename, dirname } from 'node:path'
import type { MemoryRevision, WaitingFile } from '../../../shared/contract/learned/memory.ts'
import { isRefusal, namesIn } from '../../lib/expected-errors.ts'
import { hashOf, hashShown } from '../../lib/shown-hash.ts'
import { sameWording } from '../alike/same-fact.ts'
import { parseNotes, pathOf, tidyEntry, type Place } from '../note-files.ts'
import type { ChangedBy, MemoryRefusal } from '../plan-change.ts'
import { findConflict } from './conflict-lines.ts'
import { placeholderOf } from './copy-names.ts'
import { findCopies, type FoundCopy } from './find-copies.ts'
import type { Waiting, WaitingFiles } from './open-waiting.ts'

type Changed = { revisions: MemoryRevision[]; same: number }

/** The user's choice for a waiting file. `these`: exactly the given entries. */
export type Choice = {
  id: string
  seen: string
  keep: 'mine' | 'theirs' | 'both' | 'these'
  entries: string[]
}

/** The foreign files that the user decides about. */
export type FilesToSettle = {
  list(): WaitingFile[]
  settle(choice: Choice): Changed | MemoryRefusal
}

type Parts = {
  home: string
  waiting: WaitingFiles
  places(): Place[]
  /** The current texts of a place, in order. */
  textsOf(place: Place): string[]
  /** Write exactly these entries to the file of a place, and import them. */
  accept(place: Place, texts: readonly string[], by: ChangedBy): Changed | MemoryRefusal
  /** The stored mark for a file. */
  known(path: string): string | undefined
  note(path: string, content: string): void
}

const YOU: ChangedBy = { actor: 'you', sessionId: null, messageId: null, reviewId: null }

/** List the memory files and copies that wait for a choice, and apply the user's choices. */
export function settleFiles(parts: Parts): FilesToSettle {
  const { home, waiting, places, textsOf, accept, known, note } = parts

  function list(): WaitingFile[] {
    const own = waiting.all().map(each => shownFile(each, textsOf(each), waiting.isFresh(each)))
    const copies = findCopies(home, places())
      .filter(copy => known(copy.path) !== markOf(copy))
      .map(copy => shownCopy(copy, textsOf(copy)))
    return [...own, ...copies]
  }

  return {
    list,
    settle({ id, seen, keep, entries }) {
      const file = list().find(each => each.id === id)
      if (!file) return { refused: 'This is already settled.' }
      if (file.seen !== seen)
        return {
          refused: 'The file has changed since it was shown, so nothing was done. Check the current version.',
          conflict: true,
        }
      if (file.kind === 'copy' && waiting.of(pathOf(home, file)))
        return { refused: `Settle ${pathOf(home, file)} first: it waits for a choice, too.` }
      const chosen = chosenEntries(file, keep, entries)
      if (chosen.some(text => findConflict(text)))
        return { refused: 'Lines of a merge conflict are not an entry. Remove them first.' }
      const isLeft = file.kind === 'copy' && keep === 'mine'
      const { target, project } = file
      const outcome = isLeft ? { revisions: [], same: 0 } : accept({ target, project }, chosen, YOU)
      if (isRefusal(outcome)) return outcome
      const copy = findCopies(home, places()).find(each => each.path === id)
      if (copy) note(copy.path, markOf(copy))
      return outcome
    },
  }
}

/** The mark of a settled copy, derived from its content: after a change the user is asked again. */
const markOf = ({ text, reason }: FoundCopy): string => `settled ${hashOf([text, reason])}`

/** The entries that a choice results in. `both` drops entries of `theirs` that differ only in wording. */
function chosenEntries({ mine, theirs }: WaitingFile, keep: Choice['keep'], entries: string[]): string[] {
  const texts = {
    mine: mine.entries,
    theirs: theirs.entries,
    both: [
      ...mine.entries,
      ...theirs.entries.filter(text => !mine.entries.some(each => sameWording(each, text))),
    ],
    these: entries,
  }[keep]
  return [...new Set(texts.map(tidyEntry))].filter(text => text !== '')
}

function shownFile(file: Waiting, ours: string[], fresh: boolean): WaitingFile {
  const { kind, path, target, project, since, text } = file
  const sides = sidesOf(kind === 'conflict', text, ours)
  return withSeen({
    id: path,
    kind,
    path,
    target,
    project,
    by: inCloud(file),
    reason: null,
    since,
    fresh,
    ...sides,
  })
}

/** The program that removed a missing file from this computer, if that is visible. */
const inCloud = ({ kind, path }: Waiting): string | null =>
  kind === 'missing' && namesIn(dirname(path)).includes(placeholderOf(basename(path))) ? 'iCloud Drive' : null

function shownCopy(copy: FoundCopy, ours: string[]): WaitingFile {
  const { path, target, project, by, text, reason } = copy
  const texts = text === null ? [] : entriesOf(text)
  return withSeen({
    id: path,
    kind: 'copy',
    path,
    target,
    project,
    by,
    reason: text === null ? reason : null,
    since: 0,
    fresh: false,
    mine: { label: '', entries: ours },
    theirs: { label: '', entries: texts },
  })
}

const withSeen = (file: Omit<WaitingFile, 'seen'>): WaitingFile => {
  const { fresh: _fresh, since: _since, ...shown } = file
  return { ...file, seen: hashShown(shown) }
}

/** All entries of a text; for a conflict, of all its versions. */
const entriesOf = (text: string): string[] => {
  const versions = findConflict(text)?.versions.map(each => each.text) ?? [text]
  return [...new Set(versions.flatMap(parseNotes))]
}

/** The sides of a conflict. `mine`: the version most like the current entries, or these if incomplete. */
function sidesOf(isConflict: boolean, text: string, ours: string[]): Pick<WaitingFile, 'mine' | 'theirs'> {
  const conflict = isConflict ? findConflict(text) : undefined
  const sides = (conflict?.versions ?? [{ label: '', text }]).map(({ label, text }) => ({
    label,
    entries: [...new Set(parseNotes(text))],
  }))
  if (!conflict?.isWhole)
    return { mine: { label: '', entries: ours }, theirs: sides[0] ?? { label: '', entries: [] } }
  const likeness = ({ entries }: { entries: string[] }) => entries.filter(each => ours.includes(each)).length
  const best = Math.max(...sides.map(likeness))
  const mine = sides.find(side => likeness(side) === best)!
  const others = sides.filter(side => side !== mine)
  return {
    mine,
    theirs: {
      label: others.map(({ label }) => label).join(', '),
      entries: [...new Set(others.flatMap(({ entries }) => entries))],
    },
  }
}
