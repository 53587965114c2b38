import type {
  MemoryCapacity,
  MemoryEntry,
  MemoryProject,
  MemoryRevision,
  MemoryTarget,
  MemoryView,
} from '../../shared/contract/learned/memory.ts'
import type { Store } from '../db/store.ts'
import { isRefusal } from '../lib/expected-errors.ts'
import { newId } from '../lib/ids.ts'
import { type ChangedBy, type LoggedStep, type MemoryRefusal, type MemoryStep } from './plan-change.ts'
import { isIn, placeNamed } from './note-files.ts'
import { type MemoryLimits } from './note-limits.ts'
import { pathOf, projectOf, type Place, type writeNotes, entriesLength } from './note-files.ts'
import { openNotebook } from './notebook.ts'
import { findConflict } from './outside/conflict-lines.ts'
import type { readNotes } from './outside/read-notes.ts'
import { settleFiles, type Choice } from './outside/settle-files.ts'
import { longestOf } from './protect-file.ts'
import { isOver } from './passing/date-entry.ts'
import { revisionsOfEdit } from './outside/outside-edits.ts'
import { READ_CHARACTERS, invisibleIn, unkeptReason } from '../untrusted/unsafe-text.ts'

/** The long-term memory: plain files and a log of every change to them. */
export type Memory = {
  /** Import edits by other programs. Returns in how many ms to check again, if that is known. */
  sync(): number | undefined
  view(): Omit<MemoryView, 'useInChats' | 'learnFromChats'>
  /** Make a change, all or nothing. */
  change(
    steps: readonly MemoryStep[],
    by: ChangedBy,
  ): { revisions: MemoryRevision[]; same: number } | MemoryRefusal
  /** The reason why a change would be refused; undefined if it would succeed. */
  check(steps: readonly MemoryStep[], by: ChangedBy): MemoryRefusal | undefined
  /** Merge entries in one change. `keep` gets the text, `others` are archived. Undo reverts all of it. */
  merge(
    entries: { keep: SeenEntry; others: readonly SeenEntry[]; text: string },
    by: ChangedBy,
  ): { revisions: MemoryRevision[]; same: number } | MemoryRefusal
  /** Undo revisions, newest first, each merge as a whole. Each undo is a revision too. */
  undo(
    revisionIds: readonly number[],
    by: ChangedBy,
  ): { revisions: MemoryRevision[]; same: number } | MemoryRefusal
  /** Restore the text that an entry had before or after a revision. */
  restore(
    revisionId: number,
    version: 'before' | 'after',
    by: ChangedBy,
  ): { revisions: MemoryRevision[]; same: number } | MemoryRefusal
  /** Resolve an edit by another program: keep it, or restore the previous version. */
  resolve(
    outsideId: string,
    keep: 'theirs' | 'ours',
  ): { revisions: MemoryRevision[]; same: number } | MemoryRefusal
  /** Apply the user's choice for a waiting file. */
  settle(choice: Choice): { revisions: MemoryRevision[]; same: number } | MemoryRefusal
  history: Store['memory']['history']
  archive: Store['memory']['archived']
  /** The projects with notes. */
  projects(): MemoryProject[]
  /** The id of the project given, or of the folder's project. */
  projectId(at: string | MemoryProject): string
  /** The project given, or the folder's, registered if it is new. */
  project(at: string | MemoryProject): MemoryProject
  /** The memory for a new chat in this folder or project. */
  forChat(at: string | MemoryProject): MemoryForChat
  /** Count one more chat that started with these entries. */
  used(entries: readonly MemoryEntry[]): void
}

/** An entry with the text that the caller saw. A different current text is a conflict. */
type SeenEntry = { id: string; expected: string }

/** Entries for the prompt of one chat. `blocked` ones are hidden from the model. */
export type MemoryForChat = {
  user: MemoryEntry[]
  notes: MemoryEntry[]
  project: MemoryEntry[]
  capacity: Record<MemoryTarget, { used: number; limit: number }>
}

type Parts = {
  home: string
  store: Store['memory']
  limits: () => MemoryLimits
  now: () => number
  /** Estimate the tokens of a text. */
  count: (text: string) => number
  /** Called after every change, including edits by other programs once they are noticed. */
  onChange: () => void
  /** Reads a notebook file; replaced in tests that count. */
  read?: typeof readNotes
  write?: typeof writeNotes
}

/** Open the memory of a home folder. A change that a crash interrupted is completed first. */
export function openMemory({ count, onChange, ...parts }: Parts): Memory {
  const { store, limits } = parts
  const notebook = openNotebook({ ...parts, onOutside: onChange })
  const { waiting } = notebook
  const files = settleFiles({
    home: parts.home,
    waiting,
    places: notebook.places,
    textsOf: place =>
      notebook
        .entries()
        .filter(entry => isIn(entry, place))
        .map(entry => entry.text),
    accept: notebook.accept,
    known: store.file,
    note: (path, content) => void store.commit({ entries: [], revisions: [], files: [{ path, content }] }),
  })

  function change(steps: readonly LoggedStep[], by: ChangedBy) {
    const outcome = notebook.change(steps, by)
    if (!isRefusal(outcome) && outcome.revisions.length > 0) onChange()
    return outcome
  }

  /** The project of a folder: the known one, since a home may have moved, or the one made from its path. */
  function projectAt(at: string | MemoryProject): MemoryProject {
    if (typeof at !== 'string') return at
    const usual = projectOf(at)
    return store.projectIn(at, usual.id) ?? usual
  }

  /** Archive entries whose own end date has passed. The user can see and restore them. */
  function archiveOver(): void {
    const over = notebook.entries().filter(entry => !entry.locked && isOver(entry, parts.now()))
    // An entry in a file that must not be written now is archived later.
    for (const { id } of over) change([{ kind: 'remove', id }], BY_TIME)
  }

  function judged(): MemoryEntry[] {
    notebook.sync()
    archiveOver()
    return notebook.entries().map(entry => ({ ...entry, blocked: whyBlocked(entry.text) }))
  }

  function capacityOf(entries: readonly MemoryEntry[], place: Place): MemoryCapacity {
    const own = entries.filter(entry => isIn(entry, place))
    const texts = own.map(entry => entry.text)
    const oldest = own.filter(entry => !entry.locked).toSorted((a, b) => a.updatedAt - b.updatedAt)
    return {
      ...place,
      used: entriesLength(texts),
      limit: limits()[place.target],
      tokens: count(texts.join('\n')),
      firstToGo: oldest.slice(0, 3).map(entry => entry.id),
    }
  }

  /** The steps that undo a revision, regardless of later changes. */
  function inverse(revision: MemoryRevision): (MemoryStep & { undoes: number })[] {
    const { id: undoes, entryId: id, op, before, after } = revision
    switch (op) {
      case 'add':
      case 'restore':
        return [{ kind: 'remove', id, undoes }]
      case 'edit':
      case 'remove':
        return before === null ? [] : [{ kind: 'restore', id, text: before, undoes }]
      case 'move':
        return before === null || after === null ? [] : [{ kind: 'move', id, ...placeNamed(before), undoes }]
      case 'lock':
      case 'unlock':
        return [{ kind: 'lock', id, locked: op === 'unlock', undoes }]
    }
  }

  return {
    sync: notebook.sync,
    view() {
      const entries = judged()
      const projects = store.projects()
      const capacity = notebook.places().map(place => capacityOf(entries, place))
      return {
        entries,
        capacity,
        projects,
        // For a file that is being rewritten repeatedly, show only that.
        outside: store.outside().filter(({ path }) => waiting.of(path)?.kind !== 'restless'),
        waiting: files.list(),
        unreadable: [...notebook.unreadable()].map(([path, reason]) => ({ path, reason })),
        oversized: capacity
          .map(place => ({
            path: pathOf(parts.home, place),
            used: place.used,
            limit: place.limit,
            longest: longestOf(entries.filter(entry => isIn(entry, place)).map(entry => entry.text)),
          }))
          .filter(({ used, limit }) => used > limit),
        archived: store.archivedCount(),
      }
    },
    change,
    check: notebook.check,
    merge({ keep, others, text }, by) {
      const mergeId = newId('merge', parts.now)
      // Remove the others first: one of them may have the new text, or the text may fit only without them.
      const removals = others.map(other => ({ kind: 'remove', ...other, mergeId }) as const)
      return change([...removals, { kind: 'edit', ...keep, text, mergeId }], by)
    },
    undo(revisionIds, by) {
      const revisions = new Map(
        revisionIds.flatMap(id => store.together(id)).map(revision => [revision.id, revision]),
      )
      const undoOf = new Map<string, string>()
      const steps = [...revisions.values()]
        .toSorted((a, b) => b.id - a.id)
        .filter(revision => revision.undoneBy === null)
        .flatMap(revision => {
          const { mergeId } = revision
          if (mergeId !== null && !undoOf.has(mergeId)) undoOf.set(mergeId, newId('merge', parts.now))
          const undone = mergeId === null ? null : undoOf.get(mergeId)!
          return inverse(revision).map(step => ({ ...step, mergeId: undone }))
        })
      return change(steps, by)
    },
    restore(revisionId, version, by) {
      const revision = store.revision(revisionId)
      const text = revision?.[version]
      if (!revision || text == null) return { refused: 'This version does not exist.' }
      return change([{ kind: 'restore', id: revision.entryId, text }], by)
    },
    resolve(outsideId, keep) {
      const edit = store.outside().find(each => each.id === outsideId)
      if (!edit) return { refused: 'This is already settled.' }
      const by: ChangedBy = { actor: 'you', sessionId: null, messageId: null, reviewId: null }
      const outcome =
        keep === 'theirs'
          ? { revisions: [], same: 0 }
          : this.undo(
              revisionsOfEdit(edit, store).map(each => each.id),
              by,
            )
      if (isRefusal(outcome)) return outcome
      store.resolveOutside(outsideId, parts.now())
      onChange()
      return outcome
    },
    settle(choice) {
      notebook.sync()
      const outcome = files.settle(choice)
      if (!isRefusal(outcome)) onChange()
      return outcome
    },
    history: store.history,
    archive: store.archived,
    projects: store.projects,
    projectId: at => projectAt(at).id,
    project(at) {
      const project = projectAt(at)
      const known = store.projects().find(each => each.id === project.id)
      // Only a project given as such can have a new name or folder.
      if (!known || (at === project && (known.name !== at.name || known.folder !== at.folder)))
        store.putProject(project)
      return typeof at === 'string' && known ? known : project
    },
    forChat(at) {
      const entries = judged()
      const { id } = projectAt(at)
      const of = (place: Place) => entries.filter(entry => isIn(entry, place))
      const usedOf = (target: MemoryTarget) => {
        const { used, limit } = capacityOf(entries, { target, project: null })
        return { used, limit }
      }
      return {
        user: of({ target: 'user', project: null }),
        notes: of({ target: 'memory', project: null }),
        project: of({ target: 'memory', project: id }),
        capacity: { user: usedOf('user'), memory: usedOf('memory') },
      }
    },
    used: entries =>
      store.used(
        entries.map(entry => entry.id),
        parts.now(),
      ),
  }
}

/** Activity shows it as a change made without asking. */
const BY_TIME: ChangedBy = { actor: 'review', sessionId: null, messageId: null, reviewId: null }

/** Why an entry is hidden from models; null if it is not. The scan would not reach the end of a long text. */
function whyBlocked(text: string): string | null {
  if (text.length > READ_CHARACTERS) return 'is too long to be checked'
  if (findConflict(text)) return 'holds lines of a merge conflict'
  const reason = unkeptReason(text)
  const code = invisibleIn(text)
  return reason === undefined ? null : code === undefined ? reason : `${reason} (${code})`
}
