import { attempt, type Outcome } from '../../rpc/attempt.ts'
import type { Link } from '../../rpc/link.ts'
import type { ChatState } from './chat-state.ts'
import { replaceRead } from './learned.ts'

/** What can be done in a chat with the skills that were written or changed there. */
export type ChatSkills = {
  /** Read anew what this chat changed in the skills; it may have been undone elsewhere. */
  readSkillChanges: () => Promise<void>
  /** Take a change of a skill back. The undo of an undo brings it again. */
  undoSkillChange: (revisionId: number) => Promise<Outcome<unknown>>
}

/** Changes of one chat that are looked at; a chat with more of them shows the newest. */
const MOST = 200

type Chat = {
  get: () => ChatState & { sessionId: string | null }
  set: (change: (state: ChatState) => Partial<ChatState>) => void
}

/** The part of a chat that has to do with skills. */
export function createChatSkills({ client }: Pick<Link, 'client'>, { get, set }: Chat): ChatSkills {
  async function readSkillChanges() {
    const { sessionId } = get()
    if (sessionId === null) return
    const read = await attempt(client['skills.history']({ sessionId, limit: MOST }))
    // Without an answer the chips are missing, and nothing else; the Skills page says what is wrong.
    if (read.ok) set(state => ({ skillChanges: replaceRead(state.skillChanges, read.value.revisions) }))
  }

  return {
    readSkillChanges,

    async undoSkillChange(revisionId) {
      const undone = await attempt(client['skills.undo']({ revisionIds: [revisionId] }))
      await readSkillChanges()
      return undone
    },
  }
}
