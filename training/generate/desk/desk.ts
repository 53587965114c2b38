import type { MemoryEntry } from '../../../src/shared/contract/learned/memory.ts'

/** One skill of a conversation; `text` is its whole SKILL.md. */
export type DeskSkill = { name: string; description: string; text: string; isBundled: boolean }

/** One earlier chat. */
export type DeskChat = {
  id: string
  title: string
  at: number
  messages: { id: number; role: 'user' | 'assistant'; text: string }[]
}

/** All that the tools of one conversation can reach, kept in memory. */
export type Desk = {
  sessionId: string
  memory: MemoryEntry[]
  /** Counts changes of the notebook, because entries are kept in the order of their times. */
  tick: number
  /** Path below the workspace, and content. */
  files: Map<string, string>
  skills: DeskSkill[]
  chats: DeskChat[]
}

let count = 0

/** Make an empty desk. The id only keeps the tools’ own bookkeeping of conversations apart. */
export const createDesk = (): Desk => ({
  sessionId: `desk_${++count}`,
  memory: [],
  tick: 0,
  files: new Map(),
  skills: [],
  chats: [],
})
