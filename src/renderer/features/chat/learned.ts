import type { MemoryRevision } from '../../../shared/contract/memory.ts'
import type { Message } from '../../../shared/contract/messages.ts'

/** A change that a turn made, of memory or of skills. */
type Change = Pick<MemoryRevision, 'id' | 'messageId' | 'undoes'>

/** Changes that a person wants to hear of; where an entry stands and whether it is locked is for the Memory page. */
const told = new Set<MemoryRevision['op']>(['add', 'edit', 'remove', 'restore'])

/** Add what a run has told. It may tell of it again after a reload, and by then the host knows better. */
export function addTold<R extends Change>(known: readonly R[], revisions: readonly R[]): readonly R[] {
  const ids = new Set(known.map(revision => revision.id))
  const added = revisions.filter(revision => !ids.has(revision.id))
  return added.length === 0 ? known : [...known, ...added].toSorted((a, b) => a.id - b.id)
}

/** Take over what the host says; it also knows what was undone since. */
export function replaceRead<R extends Change>(known: readonly R[], revisions: readonly R[]): readonly R[] {
  const byId = new Map([...known, ...revisions].map(revision => [revision.id, revision]))
  return [...byId.values()].toSorted((a, b) => a.id - b.id)
}

/** What was learned in each turn, by the id of the message that began it; turns that are not held are left out. */
export const learnedByTurn = (
  messages: readonly Message[],
  learned: readonly MemoryRevision[],
): Map<number, MemoryRevision[]> =>
  byTurn(
    messages,
    learned.filter(({ op }) => told.has(op)),
  )

/** Changes by the id of the message that began their turn. An undo is shown with what it undoes. */
export function byTurn<R extends Change>(
  messages: readonly Message[],
  changes: readonly R[],
): Map<number, R[]> {
  const starts = messages.filter(message => message.role === 'user').map(message => message.id)
  const groups = new Map<number, R[]>()
  for (const change of changes) {
    const { messageId, undoes } = change
    if (messageId === null || undoes !== null) continue
    const start = starts.findLast(id => id <= messageId)
    if (start !== undefined) groups.set(start, [...(groups.get(start) ?? []), change])
  }
  return groups
}

/** The text that a change of memory is about: what is remembered now, or what is not any more. */
export const learnedText = ({ after, before }: Pick<MemoryRevision, 'after' | 'before'>): string =>
  after ?? before ?? ''
