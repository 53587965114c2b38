import { attemptCall, type Outcome } from '../../../rpc/attempt.ts'
import type { Link } from '../../../rpc/link.ts'
import { keepValue, readKept } from '../../../ui/local-storage.ts'
import { addReported, mergeById, type Access, type ChatState, type Claim } from './chat-state.ts'

/** Actions on the memory changes of a chat, and on answers that only claim to have saved something. */
export type ChatMemory = {
  /** Reload this chat's memory changes. They may have been undone elsewhere. */
  readLearned: () => Promise<void>
  /** Undo a memory change. Undoing an undo restores the change. */
  undoLearned: (revisionId: number) => Promise<Outcome<unknown>>
  /** Save what an answer only claimed to have saved. `saved` is false if memory already contains it. */
  saveClaim: (claim: Claim, wanted: Pick<Claim, 'text' | 'target'>) => Promise<Outcome<{ saved: boolean }>>
  dismissClaim: (messageId: number) => void
}

/** Maximum number of changes of each kind to load for a chat, newest first. */
const MAX_CHANGES = 200

type Fields = ChatState & { sessionId: string | null }

/** The memory part of the chat store. */
export function createChatMemory({ client }: Pick<Link, 'client'>, { get, set }: Access<Fields>): ChatMemory {
  async function readLearned() {
    const sessionId = get().sessionId
    if (sessionId === null) return
    const read = await attemptCall(client['memory.history']({ sessionId, limit: MAX_CHANGES }))
    // On failure only the chips are missing. The Memory page reports the error.
    if (read.ok) set(state => ({ learned: mergeById(state.learned, read.value.revisions) }))
  }

  function dismissClaim(messageId: number) {
    set(state => ({ dismissed: [...state.dismissed, messageId] }))
    const { sessionId } = get()
    if (sessionId !== null) rememberDismissed(sessionId, messageId)
  }

  return {
    readLearned,

    async undoLearned(revisionId) {
      const undone = await attemptCall(client['memory.undo']({ revisionIds: [revisionId] }))
      await readLearned()
      return undone
    },

    async saveClaim({ messageId }, { text, target }) {
      const { sessionId } = get()
      const source = sessionId === null ? undefined : { sessionId, messageId }
      const added = await attemptCall(
        client['memory.add']({ target, text, ...(source === undefined ? {} : { source }) }),
      )
      if (!added.ok) return added
      const { revisions } = added.value
      set(state => ({ learned: addReported(state.learned, revisions) }))
      if (revisions.length === 0) dismissClaim(messageId)
      return { ok: true, value: { saved: revisions.length > 0 } }
    },

    dismissClaim,
  }
}

/** Actions on the skills that a chat wrote or changed. */
export type ChatSkills = {
  /** Reload this chat's skill changes. They may have been undone elsewhere. */
  readSkillChanges: () => Promise<void>
  /** Undo a skill change. Undoing an undo restores the change. */
  undoSkillChange: (revisionId: number) => Promise<Outcome<unknown>>
}

/** The skills part of the chat store. */
export function createChatSkills({ client }: Pick<Link, 'client'>, { get, set }: Access<Fields>): ChatSkills {
  async function readSkillChanges() {
    const { sessionId } = get()
    if (sessionId === null) return
    const read = await attemptCall(client['skills.history']({ sessionId, limit: MAX_CHANGES }))
    // On failure only the chips are missing. The Skills page reports the error.
    if (read.ok) set(state => ({ skillChanges: mergeById(state.skillChanges, read.value.revisions) }))
  }

  return {
    readSkillChanges,

    async undoSkillChange(revisionId) {
      const undone = await attemptCall(client['skills.undo']({ revisionIds: [revisionId] }))
      await readSkillChanges()
      return undone
    },
  }
}

/**
 * Maximum number of dismissed claims to remember. After a reload only a chat's last run is replayed; older
 * claims are not needed.
 */
const MAX_DISMISSED = 50
const DISMISSED_KEY = 'dismissed-claims'

const dismissedClaims = () => (readKept(DISMISSED_KEY) ?? '').split(' ').filter(part => part !== '')

/** The answers of a chat whose claims were dismissed earlier. */
export const dismissedIn = (sessionId: string | null): number[] =>
  dismissedClaims()
    .map(part => part.split(':'))
    .filter(([id]) => id === sessionId)
    .map(([, messageId]) => Number(messageId))

/** Remember across reloads that a claim was dismissed. */
const rememberDismissed = (sessionId: string, messageId: number): void =>
  keepValue(
    DISMISSED_KEY,
    [...dismissedClaims(), `${sessionId}:${messageId}`].slice(-MAX_DISMISSED).join(' '),
  )
