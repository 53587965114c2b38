import type { MemoryRevision, OutsideEdit } from '../../shared/contract/memory.ts'
import type { Store } from '../db/store.ts'
import { parseNotes } from './note-files.ts'

/**
 * The revisions that an edit by another program made and that still stand, found by what it wrote and removed. What
 * somebody has changed since then is not among them.
 */
export function revisionsOfEdit(
  edit: OutsideEdit,
  store: Pick<Store['memory'], 'byFile' | 'entry'>,
): MemoryRevision[] {
  const before = parseNotes(edit.before)
  const after = parseNotes(edit.after)
  const found = new Map<number, MemoryRevision>()
  const find = (text: string, side: 'before' | 'after', stands: (revision: MemoryRevision) => boolean) => {
    const revision = store
      .byFile(edit, side, text)
      .find(each => each.undoneBy === null && !found.has(each.id) && stands(each))
    if (revision) found.set(revision.id, revision)
  }
  for (const text of without(after, before)) {
    find(text, 'after', ({ entryId }) => {
      const entry = store.entry(entryId)
      return entry?.archivedAt === null && entry.text === text
    })
  }
  for (const text of without(before, after)) {
    find(text, 'before', ({ op, entryId }) => op === 'remove' && store.entry(entryId)?.archivedAt !== null)
  }
  return [...found.values()]
}

/** The texts of one list that the other lacks; a text that occurs twice is needed twice. */
function without(texts: readonly string[], others: readonly string[]): string[] {
  const left = [...others]
  return texts.filter(text => {
    const at = left.indexOf(text)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}
