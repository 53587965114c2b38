import type { MemoryEntry } from '../../../shared/contract/memory.ts'
import type { Store } from '../../db/store.ts'

type Known = {
  sessions: Pick<Store['sessions'], 'get' | 'frozenPrompts'>
  history: Store['memory']['history']
}

/** Revisions of an entry to look at for the one that gave it its text. */
const MOST_REVISIONS = 20

/**
 * Whether the model of a chat knows the text of an entry: the text is older than the chat, the chat wrote it, or it is in the
 * chat's prompt. A person, another program or another chat may have changed the entry since the prompt was built.
 */
export function wasSeen({ id, text }: MemoryEntry, sessionId: string, { sessions, history }: Known): boolean {
  const session = sessions.get(sessionId)
  if (!session) return true
  const { revisions } = history({ entryId: id, limit: MOST_REVISIONS })
  const written = revisions.find(each => each.after === text && each.before !== text)
  if (!written || written.at <= session.createdAt) return true
  if (written.sessionId === sessionId && written.actor === 'agent') return true
  // Further lines of an entry are indented in a prompt.
  const shown = text.replace(/\n/g, '\n  ')
  return sessions
    .frozenPrompts(sessionId)
    .some(({ sections }) => sections.some(each => each.text.includes(shown)))
}
