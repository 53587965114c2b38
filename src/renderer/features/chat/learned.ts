import type { MemoryRevision } from '../../../shared/contract/memory.ts'
import type { Message } from '../../../shared/contract/messages.ts'

/** A change that a turn made to memory or to a skill. */
type Change = Pick<MemoryRevision, 'id' | 'messageId' | 'undoes'>

/** Changes worth showing in the chat. Moves and locks appear only on the Memory page. */
const told = new Set<MemoryRevision['op']>(['add', 'edit', 'remove', 'restore'])

/** Add a change reported by a run. A replay after a reload must not overwrite the host's newer version. */
export function addTold<R extends Change>(known: readonly R[], revisions: readonly R[]): readonly R[] {
  const ids = new Set(known.map(revision => revision.id))
  const added = revisions.filter(revision => !ids.has(revision.id))
  return added.length === 0 ? known : [...known, ...added].toSorted((a, b) => a.id - b.id)
}

/** Merge the host's list of changes, which includes later undos. */
export function replaceRead<R extends Change>(known: readonly R[], revisions: readonly R[]): readonly R[] {
  const byId = new Map([...known, ...revisions].map(revision => [revision.id, revision]))
  return [...byId.values()].toSorted((a, b) => a.id - b.id)
}

/** Changes per turn, keyed by the id of the user's message. Turns that are not loaded are omitted. */
export const learnedByTurn = (
  messages: readonly Message[],
  learned: readonly MemoryRevision[],
): Map<number, MemoryRevision[]> =>
  byTurn(
    messages,
    learned.filter(({ op }) => told.has(op)),
  )

/** Changes by the id of the message that started their turn. An undo appears with the change it undoes. */
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

const verbs: Partial<Record<MemoryRevision['op'], string>> = {
  add: 'Saved',
  edit: 'Corrected',
  remove: 'Removed',
  restore: 'Restored',
}
/** What happened to an entry, in one word. */
export const learnedVerb = (op: MemoryRevision['op']): string => verbs[op] ?? 'Corrected'

/** The text that a memory change is about: the saved text, or the removed one. */
export const learnedText = ({ after, before }: Pick<MemoryRevision, 'after' | 'before'>): string =>
  after ?? before ?? ''
