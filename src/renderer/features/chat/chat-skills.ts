import { attempt, type Outcome } from '../../rpc/attempt.ts'
import type { Link } from '../../rpc/link.ts'
import type { Access, ChatState } from './chat-state.ts'
import { replaceRead } from './learned.ts'

/** Actions on the skills that a chat wrote or changed. */
export type ChatSkills = {
  /** Reload this chat's skill changes. They may have been undone elsewhere. */
  readSkillChanges: () => Promise<void>
  /** Undo a skill change. Undoing an undo restores the change. */
  undoSkillChange: (revisionId: number) => Promise<Outcome<unknown>>
}

/** Newest skill changes to load for a chat. */
const MOST = 200

type Fields = ChatState & { sessionId: string | null }

/** The skills part of the chat store. */
export function createChatSkills({ client }: Pick<Link, 'client'>, { get, set }: Access<Fields>): ChatSkills {
  async function readSkillChanges() {
    const { sessionId } = get()
    if (sessionId === null) return
    const read = await attempt(client['skills.history']({ sessionId, limit: MOST }))
    // On failure only the chips are missing. The Skills page reports the error.
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
