import type { RecalledMessage } from '../../db/search/recall-tables.ts'
import type { ReadStore } from '../../db/file/read-store.ts'
import type { Recall, Recalled, RecallQuestion } from './recall.ts'
import { excerptOf, matchRanges } from './matches.ts'
import type { SearchTerm } from './query.ts'
import type { RecallHit, RecallPassage, Session } from '../../../shared/contract/chats/session.ts'

/** A found chat with an extract: the best matching messages, and its beginning and end. */
export type FoundChat = {
  sessionId: string
  title: string
  archived: boolean
  /** Whether it ran unattended, so that its questions are not the user's words at that time. */
  unattended?: boolean
  at: number
  /** Ids of the best matching messages, best first. */
  best: number[]
  /** The messages in order; `gap`: messages before this one were left out. */
  shown: { message: RecalledMessage; gap: boolean }[]
}

/** The search result. */
export type FoundChats = { chats: FoundChat[] } & Pick<Recalled, 'wanted' | 'everyday'>

/**
 * Choose what to show of a ranking: what users said first, then unattended chats. A quarter of the places is
 * reserved for unattended ones that rank among the first, so that many weaker finds do not hide them.
 */
export function peopleFirst<T>(ranked: readonly T[], most: number, isUnattended: (item: T) => boolean): T[] {
  const others = ranked.filter(isUnattended)
  if (others.length === 0) return ranked.slice(0, most)
  const people = ranked.filter(item => !isUnattended(item))
  const isAmongFirst = ranked.slice(0, most).filter(isUnattended).length
  const kept = Math.max(Math.min(Math.ceil(most / 4), isAmongFirst), most - people.length)
  return [...people.slice(0, most - kept), ...others.slice(0, kept)]
}

type Parts = { recall: Recall; store: Pick<ReadStore, 'recall' | 'sessions'> }

/** Return the messages of all pieces without duplicates, with a gap between pieces that are not adjacent. */
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

type Room = { found: number; near: number }
/**
 * Limits for texts for a model: characters per matching and per neighbouring message. The largest pair that
 * lets the whole answer fit is used.
 */
export type Lengths = { rooms: readonly Room[]; answer: number }

const ROOMS: readonly Room[] = [
  { found: 1_200, near: 400 },
  { found: 800, near: 240 },
  { found: 500, near: 140 },
  { found: 300, near: 80 },
]
/** The most that a model may get. */
export const FULL_LENGTHS: Lengths = {
  rooms: [{ found: 4_000, near: 1_200 }, ...ROOMS],
  answer: 30_000,
}

/** The search result as text for a model. */
export function formatResults(
  { chats, wanted, everyday }: FoundChats,
  lengths: Lengths = FULL_LENGTHS,
): string {
  if (chats.length === 0)
    return 'Nothing was found in earlier chats. Other words may help: names, numbers, the thing itself.'
  const note = everyday ? ['None of the words that tell something was found, only everyday ones.'] : []
  return fitting(lengths, room =>
    [...note, ...chats.map(chat => formatChat(chat, wanted, room))].join('\n\n'),
  )
}

/** Format a requested part of one chat as text for a model. */
export const formatPart = (chat: FoundChat, lengths: Lengths = FULL_LENGTHS): string =>
  fitting(lengths, room => formatChat(chat, [], room))

function fitting({ rooms, answer }: Lengths, format: (room: Room) => string): string {
  let text = ''
  for (const room of rooms) {
    text = format(room)
    if (text.length <= answer) break
  }
  return text
}

/** Format a chat. A message from another day shows its own, because “yesterday” in it differs. */
function formatChat(
  { sessionId, title, archived, unattended = false, at, best, shown }: FoundChat,
  wanted: readonly SearchTerm[],
  room: Room,
): string {
  const headed = formatDay(at)
  const lines = shown.flatMap(({ message, gap }) => {
    const isFound = best.includes(message.id)
    const day = formatDay(message.at)
    const said = day !== headed ? `, ${day}` : ''
    const branch = message.elsewhere ? ', on another branch' : ''
    const line = `${isFound ? '→' : ' '} ${message.role} (${message.id}${said}${branch}): ${
      isFound ? excerptOf(message.text, wanted, room.found).text.trim() : beginning(message.text, room.near)
    }`
    return gap ? ['  …', line] : [line]
  })
  const notes = [archived && 'archived', unattended && 'ran by itself'].filter(Boolean)
  return [
    `## ${title || 'Untitled chat'}, ${headed} (${[`session_id ${sessionId}`, ...notes].join(', ')})`,
    ...lines,
  ].join('\n')
}

function beginning(text: string, room: number): string {
  const line = text
    .slice(0, room * 2)
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > room || text.length > room * 2 ? `${line.slice(0, room).toWellFormed()} …` : line
}

/** Format a local day, readable for models and users. */
export const formatDay = (at: number): string => DAY.format(new Date(at))
const DAY = new Intl.DateTimeFormat('sv-SE')

/** Maximum number of characters per passage, and of passages per chat. */
const LETTERS = 280
const PASSAGES = 3

/** How many runs of one schedule may precede other chats; a daily one would fill the list. */
const RUNS = 3

/**
 * Search chats for the user, best first, each with its best passages and the matching ranges. Nothing is
 * hidden from the user: further runs of a schedule follow the other chats.
 */
export function searchChats({ recall, store }: Parts, question: RecallQuestion, limit: number): RecallHit[] {
  const { chats, wanted, everyday } = recall(question)
  // A search for a name that never occurs should find nothing, instead of every “the”.
  if (everyday) return []
  const hits: RecallHit[] = []
  const further: RecallHit[] = []
  const runs = new Map<string, number>()
  for (const { best } of chats) {
    if (hits.length === limit) return hits
    const read = readPassages(store, best, wanted)
    if (!read) continue
    const { session } = read
    const run = session.origin === 'schedule' ? session.originId : ''
    const before = runs.get(run) ?? 0
    runs.set(run, before + 1)
    if (run === '' || before < RUNS) hits.push(hitOf(read, wanted))
    else if (further.length < limit) further.push(hitOf(read, wanted))
  }
  return [...hits, ...further.slice(0, limit - hits.length)]
}

type ReadPassages = { session: Session; passages: RecallPassage[] }

/** Return the best passages of a found chat, reading only messages to show. The window opens the best. */
function readPassages(
  store: Parts['store'],
  best: readonly number[],
  wanted: readonly SearchTerm[],
): ReadPassages | undefined {
  let session: Session | undefined
  const passages: RecallPassage[] = []
  for (const id of best) {
    if (passages.length === PASSAGES) break
    const [message] = store.recall.around(id, 0)
    session ??= message && store.sessions.get(message.sessionId)
    if (!message || message.sessionId !== session?.id) continue
    const passage = passageOf(message, wanted)
    if (passage.marks.length > 0) passages.push(passage)
  }
  return session && { session, passages }
}

function hitOf({ session, passages }: ReadPassages, wanted: readonly SearchTerm[]): RecallHit {
  const { id: sessionId, origin, title, updatedAt, archived } = session
  const titleMarks = matchRanges(title, wanted)
  return { sessionId, origin, title, titleMarks, updatedAt, passages, ...(archived && { archived }) }
}

function passageOf(
  { id, role, at, text, elsewhere }: RecalledMessage,
  wanted: readonly SearchTerm[],
): RecallPassage {
  const found = excerptOf(text, wanted, LETTERS)
  return { messageId: id, role: role as RecallPassage['role'], at, ...found, ...(elsewhere && { elsewhere }) }
}
