import { attemptCall, type Outcome } from '../../../rpc/attempt.ts'
import type { Link } from '../../../rpc/link.ts'
import type { Access, ChatState } from '../store/chat-state.ts'
import type { Lane } from './comparison.ts'

/** Sending one message to two models, and keeping one of the answers. */
export type ChatCompare = {
  /** Send the draft to two models. */
  compareWith: (modelIds: [string, string]) => Promise<Outcome<unknown>>
  stopLane: (lane: number) => Promise<Outcome<unknown>>
  /** Read the answers that are waiting for a choice, if any. */
  readCompared: () => Promise<void>
}

type Fields = ChatState & {
  sessionId: string | null
  draft: string
  setDraft: (text: string) => void
  saveDraft: () => Promise<void>
}

/** The part of the chat store that compares answers. */
export function createChatCompare(
  { client }: Pick<Link, 'client'>,
  {
    get,
    set,
    ensureSession,
    follow,
  }: Access<Fields> & {
    ensureSession: () => Promise<Outcome<string>>
    follow: (runId: string) => Promise<unknown>
  },
): ChatCompare {
  return {
    async compareWith(modelIds) {
      const id = await ensureSession()
      if (!id.ok) return id
      const text = get().draft.trim()
      const started = await attemptCall(
        client['compare.start']({ sessionId: id.value, text, modelIds, draft: '' }),
      )
      if (!started.ok) return started
      get().setDraft('')
      void follow(started.value.runId)
      return started
    },
    stopLane: lane => {
      const runId = get().comparison?.runId ?? ''
      return attemptCall(client['compare.stop']({ runId, lane }))
    },
    async readCompared() {
      const { sessionId } = get()
      if (sessionId === null) return
      const read = await attemptCall(client['compare.open']({ sessionId }))
      // On failure, the answers can still be reached as branches.
      if (!read.ok || get().comparison?.lanes.some(({ end }) => end === null)) return
      const lanes = read.value.answers.map((answer): Lane => ({
        modelId: answer.model,
        text: answer.text,
        thoughts: answer.reasoning,
        answer,
        end: answer.interrupted ? 'stopped' : 'done',
        problem: '',
      }))
      set({ comparison: lanes.length > 0 ? { runId: null, lanes } : null })
    },
  }
}
