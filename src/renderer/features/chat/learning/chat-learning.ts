import type { Proposal } from '../../../../shared/contract/learned/learning.ts'
import { attemptCall, windowRefusal, type Outcome } from '../../../rpc/attempt.ts'
import type { Link } from '../../../rpc/link.ts'
import type { Access, ChatState } from '../store/chat-state.ts'

/** The state of a text that the user named: still being read, or the number of its proposals. */
type NamedText = { path: string; step: string; proposals: number; isOver: boolean }

/** Actions on the proposals of a chat, and on texts to learn from. */
export type ChatLearning = {
  /** The text that is being read, or was read last. */
  named: NamedText | null
  /** Learn from a text file or a folder. Resolves once it was read, stopped or refused. */
  learnFrom: (path: string, sessionId: string) => Promise<Outcome<void>>
  /** Stop reading, or remove the line. */
  dismissNamed: () => void
  /** Edited texts by proposal id. They are kept while their row is unmounted. */
  rewordings: Readonly<Record<string, string>>
  /** Accept a proposal, optionally reworded. */
  keepOffer: (proposal: Pick<Proposal, 'id' | 'seen'>, text?: string) => Promise<Outcome<unknown>>
  rejectOffer: (id: string) => Promise<Outcome<unknown>>
  /** Undo an accepted proposal. Returns a message about what could not be undone, empty on full success. */
  undoOffer: (id: string) => Promise<Outcome<string>>
  /** Reword a proposal; null cancels. */
  reword: (id: string, text: string | null) => void
}

type Fields = ChatState & Pick<ChatLearning, 'rewordings' | 'named'>

const LEARN = /^\/learn(?:\s+(.*))?$/s

/** The path (possibly empty), if the text is a `/learn` command; otherwise undefined. */
export function pathIn(text: string): string | undefined {
  const command = LEARN.exec(text.trim())
  return command ? (command[1] ?? '').trim() : undefined
}

/** The learning part of the chat store. */
export function createChatLearning(
  { client }: Pick<Link, 'client'>,
  { get, set }: Access<Fields>,
): ChatLearning {
  function reword(id: string, text: string | null) {
    set(({ rewordings }) => {
      const { [id]: _before, ...others } = rewordings
      return { rewordings: text === null ? others : { ...others, [id]: text } }
    })
  }

  let reading: AbortController | undefined

  async function readNamed(path: string, sessionId: string, signal: AbortSignal) {
    const noted = (change: Partial<NamedText>) =>
      set(({ named }) => ({ named: named && !signal.aborted ? { ...named, ...change } : named }))
    for await (const step of client['learning.read']({ path, sessionId }, { signal })) {
      if (step.type === 'review' && step.total > 1) noted({ step: `part ${step.done + 1} of ${step.total}` })
      if (step.type === 'done') noted({ proposals: step.proposals, isOver: true })
    }
  }

  return {
    rewordings: {},
    named: null,

    async learnFrom(path, sessionId) {
      if (path === '') return windowRefusal('Name a folder or a text file: /learn docs/release.md')
      if (get().named?.isOver === false)
        return windowRefusal('Another text is still being read. Wait until that is done, or stop it.')
      reading = new AbortController()
      const { signal } = reading
      set({ named: { path, step: '', proposals: 0, isOver: false } })
      const read = await attemptCall(readNamed(path, sessionId, signal))
      if (read.ok || signal.aborted) return { ok: true, value: undefined }
      set({ named: null })
      return read
    },

    dismissNamed() {
      reading?.abort()
      set({ named: null })
    },

    reword,

    async keepOffer({ id, seen }, text) {
      const kept = await attemptCall(
        client['learning.keep']({ ids: [id], seen: { [id]: seen }, ...(text === undefined ? {} : { text }) }),
      )
      if (kept.ok) reword(id, null)
      return kept
    },

    rejectOffer: id => attemptCall(client['learning.reject']({ ids: [id] })),

    async undoOffer(id) {
      const undone = await attemptCall(client['learning.undo']({ what: { by: 'items', ids: [id] } }))
      if (!undone.ok) return undone
      const { left, memoryRevisions, skillRevisions } = undone.value
      const nothing = left.length + memoryRevisions.length + skillRevisions.length === 0
      return { ok: true, value: nothing ? 'There was nothing left to undo.' : left.join(' ') }
    },
  }
}
