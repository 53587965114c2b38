import type { MemoryEntry, MemoryRevision } from '../../shared/contract/learned/memory.ts'
import { newId } from '../lib/ids.ts'
import type { NewRevision } from '../db/learning/memory-tables.ts'
import type { Refusal } from '../lib/expected-errors.ts'
import { isIn, placeName, tidyEntry, type Place } from './note-files.ts'
import { previewEntry } from './locate-entry.ts'
import { findConflict } from './outside/conflict-lines.ts'
import { invisibleIn, unkeptReason } from '../untrusted/unsafe-text.ts'
import { sameWording } from './alike/same-fact.ts'
import { dateEntry } from './passing/date-entry.ts'
import { overLimit, type MemoryLimits } from './note-limits.ts'

/** One step of a change; entries are given by id. */
export type MemoryStep =
  | ({ kind: 'add'; text: string } & Place)
  /** `expected` is the text that the author saw. A different current text is a conflict. */
  | { kind: 'edit'; id: string; text: string; expected?: string }
  | { kind: 'remove'; id: string; expected?: string }
  | { kind: 'restore'; id: string; text: string }
  | ({ kind: 'move'; id: string } & Place)
  | { kind: 'lock'; id: string; locked: boolean }

/** A step with its fields for the log: the revision that it undoes, and the merge that it belongs to. */
export type LoggedStep = MemoryStep & { undoes?: number; mergeId?: string | null }

/** The author of a change and its context. */
export type ChangedBy = Pick<MemoryRevision, 'actor' | 'sessionId' | 'messageId' | 'reviewId'>

/** The notebook after a change. `same` counts steps that would change nothing. */
export type PlannedChange = {
  entries: MemoryEntry[]
  changed: MemoryEntry[]
  revisions: NewRevision[]
  same: number
}

/**
 * A refused change of memory. `conflict`: something has changed in the meantime. `more`: a further sentence
 * for the user and for all models except the built-in one.
 */
export type MemoryRefusal = Refusal & { conflict?: boolean; more?: string }

/**
 * Plan a change, all steps or none. Checks whether this author may make it, and whether the texts are safe
 * and fit. `entries` are the active ones in file order; `archived` finds the others.
 */
export function planChange(
  entries: readonly MemoryEntry[],
  steps: readonly LoggedStep[],
  by: ChangedBy,
  surroundings: { limits: MemoryLimits; now: number; archived: (id: string) => MemoryEntry | undefined },
): PlannedChange | MemoryRefusal {
  const { limits, now } = surroundings
  const draft: PlannedChange = { entries: [...entries], changed: [], revisions: [], same: 0 }
  const isUndo = steps.every(step => step.undoes !== undefined)

  const log = (
    entry: MemoryEntry,
    op: NewRevision['op'],
    before: string | null,
    after: string | null,
    { undoes, mergeId }: LoggedStep,
  ) => {
    const { id: entryId, target, project } = entry
    draft.revisions.push({
      entryId,
      target,
      project,
      op,
      before,
      after,
      ...by,
      at: now,
      undoes: undoes ?? null,
      mergeId: mergeId ?? null,
    })
    draft.changed = [...draft.changed.filter(each => each.id !== entry.id), entry]
  }
  /** Ids sort by creation time, so a moved entry goes before newer ones. */
  const put = (entry: MemoryEntry) => {
    const at = draft.entries.findIndex(each => each.id === entry.id)
    if (at >= 0) {
      draft.entries[at] = entry
      return
    }
    const next = draft.entries.findIndex(each => isIn(each, entry) && each.id > entry.id)
    draft.entries.splice(next < 0 ? draft.entries.length : next, 0, entry)
  }
  const drop = (id: string) => (draft.entries = draft.entries.filter(each => each.id !== id))
  const twin = (text: string, place: Place, but?: string) =>
    draft.entries.some(
      each =>
        each.id !== but &&
        isIn(each, place) &&
        (each.text === text || (by.actor === 'you' && sameWording(each.text, text))),
    )

  for (const step of steps) {
    if (step.kind === 'add') {
      const text = dateEntry(tidyEntry(step.text), now)
      const flaw = text === '' ? 'is empty' : flawOf(text)
      if (flaw) return flawed(step.text, flaw)
      if (twin(text, step)) {
        draft.same++
        continue
      }
      const { target, project } = step
      const { actor: origin, sessionId, messageId } = by
      const entry: MemoryEntry = {
        id: newId('note', () => now),
        target,
        project,
        text,
        origin,
        sessionId,
        messageId,
        createdAt: now,
        updatedAt: now,
        locked: false,
        uses: 0,
        lastUsedAt: null,
        archivedAt: null,
        blocked: null,
      }
      put(entry)
      log(entry, 'add', null, text, step)
      continue
    }

    const current = draft.entries.find(each => each.id === step.id)
    if (step.kind === 'restore') {
      const old = current ?? surroundings.archived(step.id)
      if (!old) return { refused: 'This entry no longer exists.' }
      const text = tidyEntry(step.text)
      if (current?.text === text || twin(text, old, old.id)) {
        draft.same++
        continue
      }
      const entry = { ...old, text, archivedAt: null, updatedAt: now }
      put(entry)
      log(entry, current ? 'edit' : 'restore', current?.text ?? null, text, step)
      continue
    }
    if (!current) {
      const gone = surroundings.archived(step.id)
      if (gone && step.kind === 'remove' && step.expected === undefined) {
        draft.same++
        continue
      }
      return { refused: 'This entry is not in the notebook any more.', conflict: true }
    }
    if (current.locked && by.actor !== 'you' && by.actor !== 'file' && step.kind !== 'lock') {
      return { refused: `“${previewEntry(current.text)}” is locked: the user alone may change it.` }
    }
    if ('expected' in step && step.expected !== undefined && step.expected !== current.text) {
      return {
        refused: 'This entry was changed in the meantime. Look at it again first.',
        conflict: true,
      }
    }
    switch (step.kind) {
      case 'edit': {
        // If the user removes a date, it stays removed.
        const text = by.actor === 'you' ? tidyEntry(step.text) : dateEntry(tidyEntry(step.text), now)
        const flaw = text === '' ? 'is empty' : text === current.text ? undefined : flawOf(text)
        if (flaw) return flawed(step.text, flaw)
        if (text === current.text) {
          draft.same++
          break
        }
        if (twin(text, current, current.id)) return { refused: `“${previewEntry(text)}” is there already.` }
        const entry = { ...current, text, updatedAt: now }
        put(entry)
        log(entry, 'edit', current.text, text, step)
        break
      }
      case 'remove': {
        drop(current.id)
        log({ ...current, archivedAt: now, updatedAt: now }, 'remove', current.text, null, step)
        break
      }
      case 'move': {
        const { target, project } = step
        if (isIn(current, step)) {
          draft.same++
          break
        }
        drop(current.id)
        const entry = { ...current, target, project, updatedAt: now }
        put(entry)
        log(entry, 'move', placeName(current), placeName(entry), step)
        break
      }
      case 'lock': {
        if (current.locked === step.locked) {
          draft.same++
          break
        }
        const entry = { ...current, locked: step.locked, updatedAt: now }
        put(entry)
        log(entry, step.locked ? 'lock' : 'unlock', current.text, current.text, step)
      }
    }
  }
  // An undo may exceed the limit; the user then has to shorten entries.
  const full = isUndo ? undefined : overLimit(entries, draft.entries, limits)
  return full ? { refused: full } : draft
}

/** The reason why a text is not saved. Merge conflict marks would make a good file wait. */
const flawOf = (text: string): string | undefined =>
  findConflict(text) ? 'holds lines of a merge conflict' : unkeptReason(text)

function flawed(text: string, flaw: string): MemoryRefusal {
  const code = invisibleIn(text)
  return {
    refused: `“${previewEntry(text)}” was not saved: it ${flaw}.`,
    ...(code !== undefined && { more: `The first invisible character is ${code}. Leave it out.` }),
  }
}
