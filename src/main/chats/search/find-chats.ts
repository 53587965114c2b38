import type { RecalledMessage, Store } from '../../db/types.ts'
import type { Recall, Recalled, RecallQuestion } from './recall.ts'

/** A found chat with an extract: the best matching messages, and how the chat began and ended. */
export type FoundChat = {
  sessionId: string
  title: string
  at: number
  /** Ids of the best matching messages, best first. */
  best: number[]
  /** In order; `gap`: messages before this one were left out. */
  shown: { message: RecalledMessage; gap: boolean }[]
}

/** The search result; `others` match less well and are shown briefly. */
export type FoundChats = { chats: FoundChat[]; others: FoundChat[] } & Pick<Recalled, 'wanted' | 'everyday'>

/**
 * Messages shown around the best match, further matches, messages around each, and messages from each end of
 * the chat.
 */
const REACH = 5
const NEXT = 2
const NEXT_REACH = 1
const ENDS = 3
/** Chats to show briefly. */
const OTHERS = 3

type Parts = { recall: Recall; store: Pick<Store, 'recall' | 'sessions'> }

/**
 * Find chats and read the relevant parts: the best `limit` chats with their beginning and end, and a few more
 * briefly.
 */
export function findChats({ recall, store }: Parts, question: RecallQuestion, limit: number): FoundChats {
  const { chats, wanted, everyday } = recall(question)
  const found: FoundChat[] = []
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
      shown: inChatOrder(pieces),
    })
  }
  return { chats: found.slice(0, limit), others: found.slice(limit), wanted, everyday }
}

/** The messages of all pieces without duplicates. Between two pieces that do not adjoin, there is a gap. */
export function inChatOrder(pieces: readonly (readonly RecalledMessage[])[]): FoundChat['shown'] {
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
