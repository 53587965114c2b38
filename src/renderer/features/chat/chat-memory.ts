import { attempt, type Outcome } from '../../rpc/attempt.ts'
import type { Link } from '../../rpc/link.ts'
import type { Access, ChatState, Claim } from './chat-state.ts'
import { rememberDismissed } from './dismissed-claims.ts'
import { addTold, replaceRead } from './learned.ts'

/** Actions on the memory changes of a chat, and on answers that only claim to have saved something. */
export type ChatMemory = {
  /** Reload this chat's memory changes. They may have been undone elsewhere. */
  readLearned: () => Promise<void>
  /** Undo a memory change. Undoing an undo restores the change. */
  undoLearned: (revisionId: number) => Promise<Outcome<unknown>>
  /** Save what an answer only claimed to have saved. `saved` is false when memory already holds it. */
  saveClaim: (claim: Claim, wanted: Pick<Claim, 'text' | 'target'>) => Promise<Outcome<{ saved: boolean }>>
  dismissClaim: (messageId: number) => void
}

/** Newest memory changes to load for a chat. */
const MOST = 200

type Fields = ChatState & { sessionId: string | null }

/** The memory part of the chat store. */
export function createChatMemory({ client }: Pick<Link, 'client'>, { get, set }: Access<Fields>): ChatMemory {
  async function readLearned() {
    const sessionId = get().sessionId
    if (sessionId === null) return
    const read = await attempt(client['memory.history']({ sessionId, limit: MOST }))
    // On failure only the chips are missing. The Memory page reports the error.
    if (read.ok) set(state => ({ learned: replaceRead(state.learned, read.value.revisions) }))
  }

  function dismissClaim(messageId: number) {
    set(state => ({ dismissed: [...state.dismissed, messageId] }))
    const { sessionId } = get()
    if (sessionId !== null) rememberDismissed(sessionId, messageId)
  }

  return {
    readLearned,

    async undoLearned(revisionId) {
      const undone = await attempt(client['memory.undo']({ revisionIds: [revisionId] }))
      await readLearned()
      return undone
    },

    async saveClaim({ messageId }, { text, target }) {
      const { sessionId } = get()
      const source = sessionId === null ? undefined : { sessionId, messageId }
      const added = await attempt(
        client['memory.add']({ target, text, ...(source === undefined ? {} : { source }) }),
      )
      if (!added.ok) return added
      const { revisions } = added.value
      set(state => ({ learned: addTold(state.learned, revisions) }))
      if (revisions.length === 0) dismissClaim(messageId)
      return { ok: true, value: { saved: revisions.length > 0 } }
    },

    dismissClaim,
  }
}
