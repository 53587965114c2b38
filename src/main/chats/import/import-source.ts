import type { ImportKind, ImportPreview } from '../../shared/contract/transfer.ts'
import type { MemoryTarget } from '../../shared/contract/memory.ts'
import type { ImportedMessage } from '../store/types.ts'

/** A chat of another program in our form. Times are epoch milliseconds. */
export type ForeignChat = {
  /** Tells it from all others, the next time as well. */
  key: string
  parentKey: string | null
  title: string
  createdAt: number
  updatedAt: number
  messages: ImportedMessage[]
}
export type ForeignMemory = { target: MemoryTarget; text: string }
/** What is left out, and why, so often. */
export type Skip = ImportPreview['skipped'][number]
export type Piece = { chat: ForeignChat } | { memory: ForeignMemory } | { skip: Skip }

/** What an import can be made of. Whatever is wrong with it comes as a skip, in its place; only an abort throws. */
export type Source = { kind: ImportKind; read(signal: AbortSignal): AsyncIterable<Piece> }

/** One conversation as it was understood: a chat, unless nothing in it is worth one, and what was left out. */
export type Reading = { chat?: ForeignChat; skips: Skip[] }

/** Nobody says more at once; something else was pasted. */
const MOST_LETTERS = 1_000_000
/** What programs call a chat that nobody named. */
const UNNAMED = /^(new chat|new conversation|untitled|conversation)?$/i

type Said = { role: ImportedMessage['role']; text: string; at: number | undefined; model?: string }
type About = Pick<ForeignChat, 'key' | 'parentKey'> & {
  title: unknown
  createdAt: number | undefined
  updatedAt: number | undefined
  said: Said[]
  skips: Skip[]
}

/** Put a chat together; times that are missing are those of what is beside them, or now. */
export function readingOf({ key, parentKey, title, said, skips, ...times }: About, now: number): Reading {
  const all = [...skips]
  const kept = said.filter(({ text }) => text.trim() !== '')
  const messages: ImportedMessage[] = []
  let at = times.createdAt ?? kept.find(each => each.at !== undefined)?.at ?? times.updatedAt ?? now
  const createdAt = at
  for (const message of kept) {
    at = message.at ?? at
    if (message.text.length > MOST_LETTERS) all.push(skip('message', 'it is longer than a million letters'))
    else messages.push({ role: message.role, text: message.text, at, model: message.model ?? '' })
  }
  if (messages.length === 0) return { skips: [...all, skip('chat', 'nothing was said in it')] }
  const updatedAt = Math.max(createdAt, times.updatedAt ?? 0, ...messages.slice(-1).map(each => each.at))
  const name = typeof title === 'string' ? title.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim() : ''
  const chat: ForeignChat = {
    key: key.toWellFormed(),
    parentKey: parentKey?.toWellFormed() ?? null,
    title: UNNAMED.test(name) ? '' : name.slice(0, 200).toWellFormed(),
    createdAt,
    updatedAt,
    messages,
  }
  return { chat, skips: all }
}

export const skip = (what: string, why: string, count = 1): Skip => ({ what, why, count })

/** What is left out of every kind of chat. */
export const WORKINGS = 'it is how an answer came about: a tool or a thought'
export const FILES = 'only what was written is brought over'

/** Adds up what is left out for the same reason. */
export function createTally(): { add(skip: Skip): void; list(): Skip[] } {
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

/** Epoch milliseconds of a time in seconds or in words; undefined when it is none. */
export function timeOf(value: unknown): number | undefined {
  const at = typeof value === 'number' ? value * 1_000 : typeof value === 'string' ? Date.parse(value) : NaN
  return at >= EARLIEST && at < LATEST ? at : undefined
}
