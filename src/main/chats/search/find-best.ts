import type { ReadStore } from '../../db/file/read-store.ts'
import { inChatOrder, peopleFirst, type FoundChats } from './find-chats.ts'
import type { Recall, Recalled, RecallQuestion } from './recall.ts'

/**
 * How much to read: the number of best messages over all chats, and of neighbours on each side. `chats`: read
 * exactly so many chats, if there are enough. `sort`: order the chats by the time of their best matches.
 */
export type BestShape = {
  messages: number
  reach: number
  chats?: number | undefined
  sort?: 'newest' | 'oldest' | undefined
}

/** How many of the best chats show at least their best message, so that a model can open them. */
const LEADING = 3
/** How many messages of each chat to show in time order, where the overall best messages do not matter. */
const EACH = 3
/** How many of the best chats to sort by time; worse matches are left out. */
const SORTED = 50

type Parts = { recall: Recall; store: Pick<ReadStore, 'recall' | 'sessions'> }
type Chat = { chatId: string; best: readonly number[]; reach: number }

/**
 * Find the best messages for a model, with their neighbours, as parts of their chats. Overlaps are merged,
 * each chat keeps its order, and the best chats come first. Evidence is complete in more of these answers
 * than in those made of the best chats with their ends, at about the same length (`npm run -s eval:recall`,
 * `docs/measurements`).
 */
export function findBest({ recall, store }: Parts, question: RecallQuestion, shape: BestShape): FoundChats {
  const recalled = recall({ ...question, forModel: true })
  const { wanted, everyday, unattended } = recalled
  const chosen = shape.sort
    ? inTimeOrder(store.recall, recalled, { ...shape, sort: shape.sort })
    : bestFirst(recalled, shape)
  const found: FoundChats['chats'] = []
  for (const { chatId, best, reach } of chosen) {
    if (found.length === shape.chats) break
    const session = store.sessions.get(chatId)
    if (!session) continue
    const pieces = best.map(id => store.recall.around(id, reach))
    const at = pieces[0]?.find(({ id }) => id === best[0])?.at ?? session.updatedAt
    const { title, archived } = session
    const shown = inChatOrder(pieces)
    const ranByItself = unattended.has(chatId)
    found.push({ sessionId: chatId, title, archived, unattended: ranByItself, at, best: [...best], shown })
  }
  return { chats: found, wanted, everyday }
}

/** Return the chats of the best messages, best chat first, and those that must be included. */
function bestFirst(
  { chats, messages, unattended }: Recalled,
  { messages: most, reach, chats: wanted }: BestShape,
): Chat[] {
  const isUnattended = ({ chatId }: { chatId: string }) => unattended.has(chatId)
  const byChat = Map.groupBy(peopleFirst(messages, most, isUnattended), ({ chatId }) => chatId)
  const leading = new Set(peopleFirst(chats, wanted ?? LEADING, isUnattended))
  const chosen = chats.flatMap(chat => {
    const { chatId, best } = chat
    const ids = byChat.get(chatId)?.map(({ id }) => id)
    if (ids) return [{ chatId, best: ids, reach }]
    return leading.has(chat) && best.length > 0 ? [{ chatId, best: best.slice(0, 1), reach: 1 }] : []
  })
  return peopleFirst(chosen, wanted ?? chosen.length, isUnattended)
}

/** Return the best chats in time order of their best matches, attended chats first. */
function inTimeOrder(
  store: ReadStore['recall'],
  { chats, unattended }: Recalled,
  { sort, reach, chats: wanted = LEADING }: BestShape & { sort: 'newest' | 'oldest' },
): Chat[] {
  const isUnattended = ({ chatId }: { chatId: string }) => unattended.has(chatId)
  const sign = sort === 'newest' ? -1 : 1
  const sorted = peopleFirst(chats, SORTED, isUnattended)
    .map(chat => ({ ...chat, at: store.around(chat.best[0] ?? 0, 0)[0]?.at ?? 0 }))
    .toSorted((a, b) => sign * (a.at - b.at))
  return peopleFirst(sorted, wanted, isUnattended).map(({ chatId, best }) => ({
    chatId,
    best: best.slice(0, EACH),
    reach,
  }))
}
