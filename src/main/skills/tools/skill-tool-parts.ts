import { createHash } from 'node:crypto'
import type { Store } from '../../db/store.ts'
import type { Library, SkillEditor, FoundSkill } from '../skill-types.ts'

/** Dependencies of the skill tools. */
export type SkillToolParts = {
  library: Library
  editor: Pick<SkillEditor, 'create' | 'save' | 'removeFile' | 'remove'>
  store: Pick<Store['skills'], 'use'>
  /** Whether chats may use skills, and whether the agent may write them. */
  uses(): boolean
  learns(): boolean
  now(): number
  /** Names of the skills that a chat is limited to; null for all. */
  onlyIn?(sessionId: string): readonly string[] | null
  /** Turns dangerous changes that the user did not approve into proposals. */
  proposing?(turn: { sessionId: string; askedId: number }): Pick<SkillEditor, 'create' | 'save'>
  /** The tool calls of a chat so far, for the metadata of new skills. */
  workOf?(sessionId: string): readonly { name: string; ok: boolean }[]
  /** For reviews: never ask, and refuse to change a skill whose current version was not viewed before. */
  mustRead?: boolean
}

/** The skills that each session has viewed, and those that it loaded in its current turn. */
export type Seen = {
  /** Whether the turn has not loaded this skill yet. Records that it has. */
  isNewInTurn(turn: { sessionId: string; askedId: number }, id: string): boolean
  /** Record that the session has seen the current version of SKILL.md. */
  look(sessionId: string, skill: FoundSkill, text: string): void
  /** Record that the session has seen the text of another file of a skill. */
  lookAt(sessionId: string, skill: FoundSkill, path: string, text: string): void
  /** Whether the session has seen the current version of SKILL.md. */
  knows(sessionId: string, skill: FoundSkill, text: string): boolean
  /** The text of a file as the session last saw it; undefined if it never did, or too long ago. */
  sawIn(sessionId: string, skill: FoundSkill, path: string): string | undefined
}

const MOST_SESSIONS = 200
/** Maximum number of cached texts per session, and of characters in all sessions. */
const MOST_TEXTS = 20
const MOST_CHARACTERS = 8_000_000

/** Create an empty record. It keeps a limited number of sessions and evicts the oldest. */
export function createSeen(): Seen {
  const sessions = new Map<string, Session>()

  function of(sessionId: string): Session {
    const known = sessions.get(sessionId) ?? {
      askedId: -1,
      inTurn: new Set(),
      stamps: new Map(),
      texts: new Map(),
    }
    // Move the session to the end: least recently used ones are evicted first.
    sessions.delete(sessionId)
    sessions.set(sessionId, known)
    if (sessions.size > MOST_SESSIONS) sessions.delete(sessions.keys().next().value!)
    return known
  }

  function keepText(sessionId: string, key: string, text: string): void {
    const { texts } = of(sessionId)
    texts.delete(key)
    texts.set(key, text)
    if (texts.size > MOST_TEXTS) texts.delete(texts.keys().next().value!)
    // Texts of the least recently used sessions are evicted first.
    let left = MOST_CHARACTERS
    for (const session of [...sessions.values()].toReversed()) {
      for (const each of session.texts.values()) left -= each.length
      if (left < 0) session.texts.clear()
    }
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
      keepText(sessionId, fileKey(skill, 'SKILL.md'), text)
    },
    lookAt(sessionId, skill, path, text) {
      keepText(sessionId, fileKey(skill, path), text)
    },
    knows: (sessionId, skill, text) => of(sessionId).stamps.get(skill.id) === stampOf(skill, text),
    sawIn: (sessionId, skill, path) => of(sessionId).texts.get(fileKey(skill, path)),
  }
}

type Session = {
  askedId: number
  inTurn: Set<string>
  stamps: Map<string, string>
  texts: Map<string, string>
}

const fileKey = ({ id }: FoundSkill, path: string) => `${id}\n${path}`

/** Changes whenever SKILL.md or any other file of the skill changes. */
const stampOf = ({ updatedAt, bytes }: FoundSkill, text: string): string =>
  createHash('sha256').update(`${updatedAt} ${bytes} ${text}`).digest('base64')
