import type { RecalledMessage, Store } from '../store/types.ts'
import type { Recall, Recalled, RecallQuestion } from './recall.ts'

/** A chat that was found, with what was said there: the messages that fit best, and how the chat began and ended. */
export type Found = {
  sessionId: string
  title: string
  at: number
  /** The messages that fit best, best first. */
  best: number[]
  /** In order; `gap` messages were left out before the message. */
  shown: { message: RecalledMessage; gap: boolean }[]
}

/** Finds chats and reads what matters in them; `others` fit less well and are shown in short. */
export type Answer = { chats: Found[]; others: Found[] } & Pick<Recalled, 'wanted' | 'everyday'>

/** Around the best message so many are shown, around the next ones fewer, and so many from each end of the chat. */
const REACH = 5
const NEXT = 2
const NEXT_REACH = 1
const ENDS = 3
/** Chats that are shown in short. */
const OTHERS = 3

type Parts = { recall: Recall; store: Pick<Store, 'recall' | 'sessions'> }

/** Find chats and read the passages that matter: the best `limit` ones with their beginning and end, some more in short. */
export function findChats({ recall, store }: Parts, question: RecallQuestion, limit: number): Answer {
  const { chats, wanted, everyday } = recall(question)
  const found: Found[] = []
  for (const { chatId, best } of chats) {
    if (found.length === limit + OTHERS) break
    const session = store.sessions.get(chatId)
    const [anchor] = best
    if (!session || anchor === undefined) continue
    const isShort = found.length >= limit
    const pieces = [store.recall.around(anchor, isShort ? NEXT_REACH : REACH)]
    if (!isShort) {
      const ends = store.recall.ends(chatId, ENDS)
      pieces.push(...best.slice(1, 1 + NEXT).map(id => store.recall.around(id, NEXT_REACH)))
      pieces.push(ends.slice(0, ENDS), ends.slice(-ENDS))
    }
    const at = pieces[0]?.find(message => message.id === anchor)?.at ?? session.updatedAt
    found.push({
      sessionId: chatId,
      title: session.title,
      at,
      best: best.slice(0, 1 + NEXT),
      shown: inOrder(pieces),
    })
  }
  return { chats: found.slice(0, limit), others: found.slice(limit), wanted, everyday }
}

/** The messages of all pieces, each once. Two pieces may touch; where they do not, something was left out between them. */
export function inOrder(pieces: readonly (readonly RecalledMessage[])[]): Found['shown'] {
  const follows = new Map<number, number>()
  for (const piece of pieces)
    piece.forEach((message, at) => at > 0 && follows.set(message.id, piece[at - 1]!.id))
  const messages = [...new Map(pieces.flat().map(message => [message.id, message])).values()]
  const sorted = messages.toSorted((a, b) => a.id - b.id)
  return sorted.map((message, at) => ({
    message,
    gap: at > 0 && follows.get(message.id) !== sorted[at - 1]!.id,
  }))
}
