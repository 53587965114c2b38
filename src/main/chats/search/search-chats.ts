import type { RecallHit, RecallPassage } from '../../shared/contract/recall.ts'
import type { RecalledMessage, Store } from '../store/types.ts'
import { marksIn } from './count.ts'
import { excerpt } from './excerpt.ts'
import type { Wanted } from './query.ts'
import type { Recall, RecallQuestion } from './recall.ts'

/** Letters of a passage, and passages of a chat. */
const LETTERS = 280
const PASSAGES = 3

/** Chats that a person looks for, best first, each with the passages that fit best and where in them the words stand. */
export function searchChats(
  { recall, store }: { recall: Recall; store: Pick<Store, 'recall' | 'sessions'> },
  question: RecallQuestion,
  limit: number,
): RecallHit[] {
  const { chats, wanted, everyday } = recall(question)
  // Who looks for a name that was never said wants to hear so, not where “the” stands.
  if (everyday) return []
  const hits: RecallHit[] = []
  for (const { best } of chats) {
    if (hits.length === limit) break
    const messages = best.flatMap(id => store.recall.around(id, 0))
    // A chat that went on in another one is found as one; the window opens the one that has the best message.
    const session = messages[0] && store.sessions.get(messages[0].sessionId)
    if (!session) continue
    const { id: sessionId, title, updatedAt } = session
    const passages = messages
      .filter(message => message.sessionId === sessionId)
      .map(message => passageOf(message, wanted))
      .filter(({ marks }) => marks.length > 0)
      .slice(0, PASSAGES)
    hits.push({ sessionId, title, titleMarks: marksIn(title, wanted), updatedAt, passages })
  }
  return hits
}

function passageOf({ id, role, at, text }: RecalledMessage, wanted: readonly Wanted[]): RecallPassage {
  return { messageId: id, role: role as RecallPassage['role'], at, ...excerpt(text, wanted, LETTERS) }
}
