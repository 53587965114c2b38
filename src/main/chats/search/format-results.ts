import type { FoundChats, FoundChat } from './find-chats.ts'
import { excerpt } from './excerpt.ts'
import type { SearchTerm } from './query.ts'

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
      isFound ? excerpt(message.text, wanted, room.found).text.trim() : beginning(message.text, room.near)
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
