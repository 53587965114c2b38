import type { ImportKind, ImportPreview } from '../../../shared/contract/import.ts'
import type { MemoryTarget } from '../../../shared/contract/learned/memory.ts'
import type { ImportedMessage } from '../../db/chats/import-tables.ts'

/** A chat of another program in our format. Times are epoch milliseconds. */
export type SourceChat = {
  /** A stable identity of the chat, to recognise it in the next import. */
  key: string
  parentKey: string | null
  title: string
  createdAt: number
  updatedAt: number
  messages: ImportedMessage[]
}
export type SourceMemory = { target: MemoryTarget; text: string }
/** A skipped thing, with the reason and how often it occurred. */
export type Skip = ImportPreview['skipped'][number]
export type ImportPiece = { chat: SourceChat } | { memory: SourceMemory } | { skip: Skip }

/** A source to import from. Problems are yielded as skips where they occur; only an abort throws. */
export type ImportSource = { kind: ImportKind; read(signal: AbortSignal): AsyncIterable<ImportPiece> }

/** One parsed conversation: the chat, unless it has no content, and what was skipped. */
export type ReadConversation = { chat?: SourceChat; skips: Skip[] }

/** Maximum characters of a message; longer ones were pasted data, and are skipped. */
export const MAX_CHARS = 1_000_000
/** Default titles of chats that the user never named. */
const UNNAMED = /^(new chat|new conversation|untitled|conversation)?$/i

/** `after`: the index of the message that it follows; null for none; absent for the previous one. */
type Said = {
  role: ImportedMessage['role']
  text: string
  at: number | undefined
  model?: string
  after?: number | null
}
type About = Pick<SourceChat, 'key' | 'parentKey'> & {
  title: unknown
  createdAt: number | undefined
  updatedAt: number | undefined
  said: Said[]
  skips: Skip[]
}

/** Build a chat. Missing times are taken from neighbouring ones, or from `now`. */
export function toSourceChat(
  { key, parentKey, title, said, skips, ...times }: About,
  now: number,
): ReadConversation {
  const all = [...skips]
  const kept = said.filter(({ text }) => text.trim() !== '')
  const messages: ImportedMessage[] = []
  let at = times.createdAt ?? kept.find(each => each.at !== undefined)?.at ?? times.updatedAt ?? now
  const createdAt = at
  /** The position of each kept message; for others, that of the message they follow. */
  const places: number[] = []
  for (const [index, message] of said.entries()) {
    const { role, text, model = '', after = index - 1 } = message
    const behind = after === null || after < 0 ? -1 : places[after]!
    places.push(behind)
    if (text.trim() === '') continue
    at = message.at ?? at
    if (text.length > MAX_CHARS) {
      all.push(skipOf('message', 'it is longer than a million characters'))
      continue
    }
    places[index] = messages.length
    const isNext = behind === messages.length - 1
    messages.push({ role, text, at, model, ...(!isNext && { after: behind < 0 ? null : behind }) })
  }
  if (messages.length === 0) return { skips: [...all, skipOf('chat', 'it is empty')] }
  const updatedAt = Math.max(createdAt, times.updatedAt ?? 0, ...messages.slice(-1).map(each => each.at))
  const name = typeof title === 'string' ? title.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim() : ''
  const chat: SourceChat = {
    key: key.toWellFormed(),
    parentKey: parentKey?.toWellFormed() ?? null,
    title: UNNAMED.test(name) ? '' : name.slice(0, 200).toWellFormed(),
    createdAt,
    updatedAt,
    messages,
  }
  return { chat, skips: all }
}

export const skipOf = (what: string, why: string, count = 1): Skip => ({ what, why, count })

/** Reasons for skipping that apply to every kind of chat. */
export const WORKINGS = 'it is a tool call or a thought, not an answer'
export const FILES = 'only text is imported'

/** Count skips, merging those with the same reason. */
export function createTally(): { add(skipped: Skip): void; list(): Skip[] } {
  const counts = new Map<string, Skip>()
  return {
    add({ what, why, count }) {
      const key = `${what}\n${why}`
      counts.set(key, { what, why, count: (counts.get(key)?.count ?? 0) + count })
    },
    list: () => [...counts.values()],
  }
}

const EARLIEST = Date.UTC(1990, 0)
const LATEST = Date.UTC(2200, 0)

/** Numbers from here on are milliseconds; read as seconds, this would be the year 5138. */
const LEAST_MILLISECONDS = 1e11

const millisecondsOf = (count: number): number => (count < LEAST_MILLISECONDS ? count * 1_000 : count)

/** Return epoch ms for a time given in seconds, milliseconds or as text; undefined if invalid. */
export function timeOf(value: unknown): number | undefined {
  const at =
    typeof value === 'number' ? millisecondsOf(value) : typeof value === 'string' ? Date.parse(value) : NaN
  return at >= EARLIEST && at < LATEST ? at : undefined
}
