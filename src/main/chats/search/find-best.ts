import type { ReadStore } from '../../db/read-store.ts'
import { byTime, inChatOrder, type FoundChats } from './find-chats.ts'
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

type Parts = { recall: Recall; store: Pick<ReadStore, 'recall' | 'sessions'> }
type Chat = { chatId: string; best: readonly number[]; reach: number }

/**
 * Find the best messages with what stands around them, as parts of their chats: overlaps are joined, each chat in its own order, the
 * chats best first. Evidence stands whole in more of these answers than in those made of the best chats with their ends, and they are
 * about as long (`npm run -s eval:recall`, `bench/MEASURED.md`).
 */
export function findBest({ recall, store }: Parts, question: RecallQuestion, shape: BestShape): FoundChats {
  const recalled = recall(question)
  const chosen = shape.sort
    ? inTimeOrder(store.recall, recalled, { ...shape, sort: shape.sort })
    : bestFirst(store.recall, recalled, shape)
  const found: FoundChats['chats'] = []
  for (const { chatId, best, reach } of chosen) {
    if (found.length === shape.chats) break
    const session = store.sessions.get(chatId)
    if (!session) continue
    const pieces = best.map(id => store.recall.around(id, reach))
    const at = pieces[0]?.find(({ id }) => id === best[0])?.at ?? session.updatedAt
    const { title, archived } = session
    found.push({ sessionId: chatId, title, archived, at, best: [...best], shown: inChatOrder(pieces) })
  }
  const { wanted, everyday } = recalled
  return { chats: found, others: [], wanted, everyday }
}

/** The chats of the best messages, best chat first, and those that must be among them. */
function bestFirst(
  store: ReadStore['recall'],
  { chats, messages }: Recalled,
  { messages: most, reach, chats: wanted = LEADING }: BestShape,
): Chat[] {
  const top = messages.slice(0, most)
  const roots = store.roots([...new Set(top.map(({ sessionId }) => sessionId))])
  const byChat = Map.groupBy(top, ({ sessionId }) => roots.get(sessionId) ?? sessionId)
  return chats.flatMap(({ chatId, best: [first] }, place) => {
    const best = byChat.get(chatId)?.map(({ id }) => id)
    if (best) return [{ chatId, best, reach }]
    return first !== undefined && place < wanted ? [{ chatId, best: [first], reach: 1 }] : []
  })
}

const inTimeOrder = (
  store: ReadStore['recall'],
  { chats }: Recalled,
  { sort, reach, chats: wanted = LEADING }: BestShape & { sort: 'newest' | 'oldest' },
): Chat[] =>
  byTime(store, chats, sort)
    .slice(0, wanted)
    .map(({ chatId, best }) => ({ chatId, best: best.slice(0, EACH), reach }))
