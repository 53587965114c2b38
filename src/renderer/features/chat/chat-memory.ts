import { attempt, type Outcome } from '../../rpc/attempt.ts'
import type { Link } from '../../rpc/link.ts'
import type { ChatState, Claim } from './chat-state.ts'
import { rememberDismissed } from './dismissed-claims.ts'
import { addTold, replaceRead } from './learned.ts'

/** What can be done in a chat with what was learned there, or was not. */
export type ChatMemory = {
  /** Read anew what this chat changed in memory; it may have been undone elsewhere. */
  readLearned: () => Promise<void>
  /** Take a change of memory back. The undo of an undo brings it again. */
  undoLearned: (revisionId: number) => Promise<Outcome<unknown>>
  /** Save what an answer only claimed to have saved; `saved` is false when memory holds it already. */
  saveClaim: (claim: Claim, wanted: Pick<Claim, 'text' | 'target'>) => Promise<Outcome<{ saved: boolean }>>
  dismissClaim: (messageId: number) => void
}

/** Changes of one chat that are looked at; a chat with more of them shows the newest. */
const MOST = 200

type Chat = {
  get: () => ChatState & { sessionId: string | null }
  set: (change: (state: ChatState) => Partial<ChatState>) => void
}

/** The part of a chat that has to do with memory. */
export function createChatMemory({ client }: Pick<Link, 'client'>, { get, set }: Chat): ChatMemory {
  async function readLearned() {
    const sessionId = get().sessionId
    if (sessionId === null) return
    const read = await attempt(client['memory.history']({ sessionId, limit: MOST }))
    // Without an answer the chips are missing, and nothing else; the Memory page says what is wrong.
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
