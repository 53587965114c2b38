import type { RecallHit, RecallPassage } from '../../../shared/contract/recall.ts'
import type { RecalledMessage, Store } from '../../db/types.ts'
import { matchRanges } from './count-matches.ts'
import { excerpt } from './excerpt.ts'
import type { SearchTerm } from './query.ts'
import type { Recall, RecallQuestion } from './recall.ts'

/** Characters per passage, and passages per chat. */
const LETTERS = 280
const PASSAGES = 3

/** Search chats for the user, best first, each with its best passages and the matching ranges. */
export function searchChats(
  { recall, store }: { recall: Recall; store: Pick<Store, 'recall' | 'sessions'> },
  question: RecallQuestion,
  limit: number,
): RecallHit[] {
  const { chats, wanted, everyday } = recall(question)
  // A search for a name that never occurs should find nothing, instead of every “the”.
  if (everyday) return []
  const hits: RecallHit[] = []
  for (const { best } of chats) {
    if (hits.length === limit) break
    const messages = best.flatMap(id => store.recall.around(id, 0))
    // A chat and its continuation are found as one; the window opens the session with the best message.
    const session = messages[0] && store.sessions.get(messages[0].sessionId)
    if (!session) continue
    const { id: sessionId, title, updatedAt } = session
    const passages = messages
      .filter(message => message.sessionId === sessionId)
      .map(message => passageOf(message, wanted))
      .filter(({ marks }) => marks.length > 0)
      .slice(0, PASSAGES)
    hits.push({ sessionId, title, titleMarks: matchRanges(title, wanted), updatedAt, passages })
  }
  return hits
}

function passageOf({ id, role, at, text }: RecalledMessage, wanted: readonly SearchTerm[]): RecallPassage {
  return { messageId: id, role: role as RecallPassage['role'], at, ...excerpt(text, wanted, LETTERS) }
}
