import { Fault } from '../../../../shared/rpc.ts'
import { attempt, type Outcome } from '../../../rpc/attempt.ts'
import type { Link } from '../../../rpc/link.ts'
import { isBusy, type ChatState } from '../chat-state.ts'
import { joined } from './joined.ts'
import { compactionText } from './strings.ts'

/** What can be done in a chat about messages that are summarised for its model. */
export type ChatCompaction = {
  /** Read which summaries stand for messages of this chat. */
  readCompactions: () => Promise<void>
  /** Replace older messages by a summary now; resolves when that has begun. */
  compact: (focus: string) => Promise<Outcome<unknown>>
}

type Chat = {
  get: () => ChatState & { sessionId: string | null; pending: string | null }
  set: (change: (state: ChatState) => Partial<ChatState>) => void
  follow: (runId: string) => Promise<unknown>
}

const MOST_FOCUS = 500
const COMMAND = /^\/compact(?:\s+(.*))?$/s

/** What must stay, when a text is the command `/compact`, with or without words behind it; else undefined. */
export function focusIn(text: string): string | undefined {
  const command = COMMAND.exec(text.trim())
  return command ? (command[1] ?? '').trim() : undefined
}

/** The part of a chat that has to do with summaries. */
export function createChatCompaction(
  { client }: Pick<Link, 'client'>,
  { get, set, follow }: Chat,
): ChatCompaction {
  return {
    async readCompactions() {
      const id = get().sessionId
      if (id === null) return
      const read = await attempt(client['session.compactions']({ id }))
      // Without an answer the divider is missing, and nothing else.
      if (read.ok) set(state => ({ compactions: joined(state.compactions, read.value.compactions) }))
    },

    async compact(focus) {
      const { sessionId, pending } = get()
      if (sessionId === null) return refused(compactionText.nothing)
      if (isBusy(get()) || pending !== null) return refused(compactionText.busy)
      if (focus.length > MOST_FOCUS) return refused(compactionText.tooLong(MOST_FOCUS))
      const begun = await attempt(client['chat.compact']({ sessionId, focus }))
      if (begun.ok) void follow(begun.value.runId)
      return begun
    },
  }
}

const refused = (why: string): Outcome<never> => ({ ok: false, fault: new Fault('bad_input', why) })
