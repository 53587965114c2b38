import { createHash } from 'node:crypto'
import type { Store } from '../db/store.ts'
import type { Library, SkillEditor, FoundSkill } from '../skills/types.ts'

/** Dependencies of the skill tools. */
export type SkillToolParts = {
  library: Library
  editor: Pick<SkillEditor, 'create' | 'save' | 'removeFile' | 'remove'>
  store: Pick<Store['skills'], 'use'>
  /** Whether chats may use skills, and whether the agent may write them. */
  uses(): boolean
  learns(): boolean
  now(): number
  /** The names of the only skills that a chat has; null for all. */
  onlyIn?(sessionId: string): readonly string[] | null
  /** What is dangerous and was not allowed by the user becomes a proposal through this editor. */
  proposing?(turn: { sessionId: string; askedId: number }): Pick<SkillEditor, 'create' | 'save'>
  /** The tool calls of a chat so far, for skills that are made of it. */
  workOf?(sessionId: string): readonly { name: string; ok: boolean }[]
  /** For reviews: refuse to change a skill unless the session has viewed its current version, and ask nobody. */
  mustRead?: boolean
}

/** Which skills each session has viewed, and which it loaded in its current turn. */
export type Seen = {
  /** Whether this is the first time in the turn. */
  isNewInTurn(turn: { sessionId: string; askedId: number }, id: string): boolean
  /** Record that the session has seen the current version. */
  look(sessionId: string, skill: FoundSkill, text: string): void
  /** Whether the session has seen the current version. */
  knows(sessionId: string, skill: FoundSkill, text: string): boolean
}

const MOST_SESSIONS = 200

/** Create an empty record. It keeps a limited number of sessions and evicts the oldest. */
export function createSeen(): Seen {
  const sessions = new Map<string, { askedId: number; inTurn: Set<string>; stamps: Map<string, string> }>()

  function of(sessionId: string) {
    const known = sessions.get(sessionId) ?? { askedId: -1, inTurn: new Set(), stamps: new Map() }
    // Move the session to the end: least recently used ones are evicted first.
    sessions.delete(sessionId)
    sessions.set(sessionId, known)
    if (sessions.size > MOST_SESSIONS) sessions.delete(sessions.keys().next().value!)
    return known
  }

  return {
    isNewInTurn({ sessionId, askedId }, id) {
      const session = of(sessionId)
      if (session.askedId !== askedId) {
        session.askedId = askedId
        session.inTurn = new Set()
      }
      if (session.inTurn.has(id)) return false
      session.inTurn.add(id)
      return true
    },
    look(sessionId, skill, text) {
      of(sessionId).stamps.set(skill.id, stampOf(skill, text))
    },
    knows: (sessionId, skill, text) => of(sessionId).stamps.get(skill.id) === stampOf(skill, text),
  }
}

/** Changes whenever SKILL.md or any other file of the skill changes. */
const stampOf = ({ updatedAt, bytes }: FoundSkill, text: string): string =>
  createHash('sha256').update(`${updatedAt} ${bytes} ${text}`).digest('base64')
