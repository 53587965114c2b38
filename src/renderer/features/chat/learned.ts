import type { MemoryRevision } from '../../../shared/contract/memory.ts'
import type { Message } from '../../../shared/contract/messages.ts'

/** Changes that a person wants to hear of; where an entry stands and whether it is locked is for the Memory page. */
const told = new Set<MemoryRevision['op']>(['add', 'edit', 'remove', 'restore'])

/** Add what a run has told. It may tell of it again after a reload, and by then the notebook knows better. */
export function addTold(
  known: readonly MemoryRevision[],
  revisions: readonly MemoryRevision[],
): readonly MemoryRevision[] {
  const ids = new Set(known.map(revision => revision.id))
  const added = revisions.filter(revision => !ids.has(revision.id))
  return added.length === 0 ? known : [...known, ...added].toSorted((a, b) => a.id - b.id)
}

/** Take over what the notebook says; it also knows what was undone since. */
export function replaceRead(
  known: readonly MemoryRevision[],
  revisions: readonly MemoryRevision[],
): readonly MemoryRevision[] {
  const byId = new Map([...known, ...revisions].map(revision => [revision.id, revision]))
  return [...byId.values()].toSorted((a, b) => a.id - b.id)
}

/** What was learned in each turn, by the id of the message that began it; turns that are not held are left out. */
export function learnedByTurn(
  messages: readonly Message[],
  learned: readonly MemoryRevision[],
): Map<number, MemoryRevision[]> {
  const starts = messages.filter(message => message.role === 'user').map(message => message.id)
  const groups = new Map<number, MemoryRevision[]>()
  for (const revision of learned) {
    const { messageId } = revision
    // An undo is shown with what it undoes.
    if (messageId === null || revision.undoes !== null || !told.has(revision.op)) continue
    const start = starts.findLast(id => id <= messageId)
    if (start !== undefined) groups.set(start, [...(groups.get(start) ?? []), revision])
  }
  return groups
}

/** The text that a change of memory is about: what is remembered now, or what is not any more. */
export const learnedText = ({ after, before }: Pick<MemoryRevision, 'after' | 'before'>): string =>
  after ?? before ?? ''
