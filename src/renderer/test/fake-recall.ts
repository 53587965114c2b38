import type { HostClient } from '../../shared/contract/index.ts'
import type { Message } from '../../shared/contract/messages.ts'
import type { RecallHit } from '../../shared/contract/recall.ts'
import type { Session } from '../../shared/contract/session.ts'

type Question = Parameters<HostClient['recall.search']>[0]

/** Chats that have the words in a message or in the title, the newest first. */
export function searchChats(
  sessions: ReadonlyMap<string, Session>,
  messages: ReadonlyMap<string, readonly Message[]>,
  { query, from = 0, to = Infinity, role, limit = 20 }: Question,
): { hits: RecallHit[] } {
  const marksIn = (text: string): [number, number][] => {
    const at = query.trim() === '' ? -1 : text.toLowerCase().indexOf(query.trim().toLowerCase())
    return at < 0 ? [] : [[at, at + query.trim().length]]
  }
  const hits = [...sessions.values()]
    .toSorted((a, b) => b.updatedAt - a.updatedAt)
    .map(({ id, title, updatedAt }) => ({
      sessionId: id,
      title,
      titleMarks: marksIn(title),
      updatedAt,
      passages: (messages.get(id) ?? [])
        .map(({ id: messageId, role, at, text }) => ({ messageId, role, at, text, marks: marksIn(text) }))
        .filter(passage => passage.marks.length > 0 && passage.at >= from && passage.at < to)
        .filter(passage => role === undefined || passage.role === role),
    }))
    .filter(hit => hit.titleMarks.length > 0 || hit.passages.length > 0)
  return { hits: hits.slice(0, limit) }
}
