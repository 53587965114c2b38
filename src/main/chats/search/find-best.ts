import type { ReadStore } from '../../db/file/read-store.ts'
import { inChatOrder, peopleFirst, type FoundChats } from './find-chats.ts'
import type { Recall, Recalled, RecallQuestion } from './recall.ts'

/**
 * How much is read: the best messages of all chats, and how many stand on each side of one. `chats`: of exactly so many chats, where
 * there are as many. With `sort`, the chats are put in the order of their best matches' times.
 */
export type BestShape = {
  messages: number
  reach: number
  chats?: number | undefined
  sort?: 'newest' | 'oldest' | undefined
}

/** The best chats show at least their best message, so that a model can open them. */
const LEADING = 3
/** Messages of each chat in the order of time: there the best messages of all are no measure. */
const EACH = 3
/** How many of the best chats are put in the order of time; what matches worse is left out. */
const SORTED = 50

type Parts = { recall: Recall; store: Pick<ReadStore, 'recall' | 'sessions'> }
type Chat = { chatId: string; best: readonly number[]; reach: number }

/**
 * Find, for a model, the best messages with what stands around them, as parts of their chats: overlaps are joined, each chat in its own order, the
 * chats best first. Evidence stands whole in more of these answers than in those made of the best chats with their ends, and they are
 * about as long (`npm run -s eval:recall`, `docs/measurements`).
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

/** The chats of the best messages, best chat first, and those that must be among them. */
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

/** The best chats in the order of the times of their best matches, those of people first. */
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
