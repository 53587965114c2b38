import type { Answer, Found } from './answer.ts'
import { excerpt } from './excerpt.ts'
import type { Wanted } from './query.ts'

/** Letters of a message that was found, and of one near it; the longest that fit are taken. */
const ROOMS = [
  { found: 1_200, near: 400 },
  { found: 800, near: 240 },
  { found: 500, near: 140 },
  { found: 300, near: 80 },
]
/** Letters of the whole answer: some 4,000 tokens, which a small window has room for. */
const ANSWER = 14_000

/** What was found, as a model reads it. */
export function tellAnswer({ chats, others, wanted, everyday }: Answer): string {
  if (chats.length === 0)
    return 'Nothing was found in earlier chats. Other words may help: names, numbers, the thing itself.'
  const note = everyday ? ['None of the words that tell something was found, only everyday ones.'] : []
  return fitting(room => {
    const more =
      others.length > 0 ? ['# Less likely', ...others.map(chat => tellChat(chat, wanted, room))] : []
    return [...note, ...chats.map(chat => tellChat(chat, wanted, room)), ...more].join('\n\n')
  })
}

/** A part of one chat that was asked for, as a model reads it. */
export const tellPart = (chat: Found): string => fitting(room => tellChat(chat, [], room))

function fitting(tell: (room: (typeof ROOMS)[number]) => string): string {
  let text = ''
  for (const room of ROOMS) {
    text = tell(room)
    if (text.length <= ANSWER) break
  }
  return text
}

function tellChat(
  { sessionId, title, at, best, shown }: Found,
  wanted: readonly Wanted[],
  room: (typeof ROOMS)[number],
): string {
  const lines = shown.flatMap(({ message, gap }) => {
    const isFound = best.includes(message.id)
    const line = `${isFound ? '→' : ' '} ${message.role} (${message.id}): ${
      isFound ? excerpt(message.text, wanted, room.found).text.trim() : beginning(message.text, room.near)
    }`
    return gap ? ['  …', line] : [line]
  })
  return [`## ${title || 'Untitled chat'}, ${day(at)} (session_id ${sessionId})`, ...lines].join('\n')
}

function beginning(text: string, room: number): string {
  const line = text
    .slice(0, room * 2)
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > room || text.length > room * 2 ? `${line.slice(0, room).toWellFormed()} …` : line
}

/** A day as models and people both read it, in local time. */
export const day = (at: number): string => new Intl.DateTimeFormat('sv-SE').format(new Date(at))
