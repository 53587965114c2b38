import type { RecalledMessage } from '../../db/recall-tables.ts'
import type { ReadStore } from '../../db/read-store.ts'
import type { Recall, Recalled, RecallQuestion } from './recall.ts'
import { excerptOf, matchRanges } from './matches.ts'
import type { SearchTerm } from './query.ts'
import type { RecallHit, RecallPassage } from '../../../shared/contract/session.ts'

/** A found chat with an extract: the best matching messages, and how the chat began and ended. */
type FoundChat = {
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

type Parts = { recall: Recall; store: Pick<ReadStore, 'recall' | 'sessions'> }

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

/** Characters per matching and per neighbouring message; the largest pair that fits is used. */
const ROOMS = [
  { found: 1_200, near: 400 },
  { found: 800, near: 240 },
  { found: 500, near: 140 },
  { found: 300, near: 80 },
]
/** Characters of the whole result: about 4,000 tokens, which fits a small context window. */
const ANSWER = 14_000

/** The search result as text for a model. */
export function formatResults({ chats, others, wanted, everyday }: FoundChats): string {
  if (chats.length === 0)
    return 'Nothing was found in earlier chats. Other words may help: names, numbers, the thing itself.'
  const note = everyday ? ['None of the words that tell something was found, only everyday ones.'] : []
  return fitting(room => {
    const more =
      others.length > 0 ? ['# Less likely', ...others.map(chat => formatChat(chat, wanted, room))] : []
    return [...note, ...chats.map(chat => formatChat(chat, wanted, room)), ...more].join('\n\n')
  })
}

/** A requested part of one chat as text for a model. */
export const formatPart = (chat: FoundChat): string => fitting(room => formatChat(chat, [], room))

function fitting(format: (room: (typeof ROOMS)[number]) => string): string {
  let text = ''
  for (const room of ROOMS) {
    text = format(room)
    if (text.length <= ANSWER) break
  }
  return text
}

function formatChat(
  { sessionId, title, at, best, shown }: FoundChat,
  wanted: readonly SearchTerm[],
  room: (typeof ROOMS)[number],
): string {
  const lines = shown.flatMap(({ message, gap }) => {
    const isFound = best.includes(message.id)
    const line = `${isFound ? '→' : ' '} ${message.role} (${message.id}): ${
      isFound ? excerptOf(message.text, wanted, room.found).text.trim() : beginning(message.text, room.near)
    }`
    return gap ? ['  …', line] : [line]
  })
  return [`## ${title || 'Untitled chat'}, ${formatDay(at)} (session_id ${sessionId})`, ...lines].join('\n')
}

function beginning(text: string, room: number): string {
  const line = text
    .slice(0, room * 2)
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > room || text.length > room * 2 ? `${line.slice(0, room).toWellFormed()} …` : line
}

/** A local day, readable for models and people. */
export const formatDay = (at: number): string => new Intl.DateTimeFormat('sv-SE').format(new Date(at))

/** Characters per passage, and passages per chat. */
const LETTERS = 280
const PASSAGES = 3

/** Search chats for the user, best first, each with its best passages and the matching ranges. */
export function searchChats(
  { recall, store }: { recall: Recall; store: Pick<ReadStore, 'recall' | 'sessions'> },
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
  return { messageId: id, role: role as RecallPassage['role'], at, ...excerptOf(text, wanted, LETTERS) }
}
