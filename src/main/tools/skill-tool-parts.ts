import { createHash } from 'node:crypto'
import type { FoundSkill } from '../skills/types.ts'

/** What each session has seen of skills, and which it loaded in its present turn. */
export type Seen = {
  /** Whether this is the first time in the turn. */
  isNewInTurn(turn: { sessionId: string; askedId: number }, id: string): boolean
  /** The session knows a skill as it is. */
  look(sessionId: string, skill: FoundSkill, text: string): void
  /** Whether the session knows the skill as it is now. */
  knows(sessionId: string, skill: FoundSkill, text: string): boolean
}

const MOST_SESSIONS = 200

/** Begin with nothing seen. What is remembered of sessions is bounded; the oldest are forgotten. */
export function createSeen(): Seen {
  const sessions = new Map<string, { askedId: number; inTurn: Set<string>; stamps: Map<string, string> }>()

  function of(sessionId: string) {
    const known = sessions.get(sessionId) ?? { askedId: -1, inTurn: new Set(), stamps: new Map() }
    // The one that is asked about last is forgotten last.
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

/** Another one when SKILL.md or any file of the skill has changed. */
const stampOf = ({ updatedAt, bytes }: FoundSkill, text: string): string =>
  createHash('sha256').update(`${updatedAt} ${bytes} ${text}`).digest('base64')
