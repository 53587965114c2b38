import { Fault } from '../../../../shared/rpc.ts'
import { attempt, type Outcome } from '../../../rpc/attempt.ts'
import type { Link } from '../../../rpc/link.ts'
import { isBusy, type Access, type ChatState } from '../chat-state.ts'
import { joined } from './joined.ts'
import { formatCount } from '../../../ui/format.ts'

export const waitForAnswer = 'Wait until this answer is done.'

/** Actions on the summaries of a chat. */
export type ChatCompaction = {
  /** Load the summaries of this chat. */
  readCompactions: () => Promise<void>
  /** Replace older messages by a summary now. Resolves when the work has started. */
  compact: (focus: string) => Promise<Outcome<unknown>>
}

type Fields = ChatState & { sessionId: string | null; pending: string | null }

const MOST_FOCUS = 500
const COMMAND = /^\/compact(?:\s+(.*))?$/s

/** What the summary must keep, when the text is a `/compact` command (possibly empty); else undefined. */
export function focusIn(text: string): string | undefined {
  const command = COMMAND.exec(text.trim())
  return command ? (command[1] ?? '').trim() : undefined
}

/** The summary part of the chat store. */
export function createChatCompaction(
  { client }: Pick<Link, 'client'>,
  { get, set, follow }: Access<Fields> & { follow: (runId: string) => Promise<unknown> },
): ChatCompaction {
  return {
    async readCompactions() {
      const id = get().sessionId
      if (id === null) return
      const read = await attempt(client['session.compactions']({ id }))
      // On failure only the divider is missing.
      if (read.ok) set(state => ({ compactions: joined(state.compactions, read.value.compactions) }))
    },

    async compact(focus) {
      const { sessionId, pending } = get()
      if (sessionId === null) return refused('There is nothing to summarise yet.')
      if (isBusy(get()) || pending !== null) return refused(waitForAnswer)
      if (focus.length > MOST_FOCUS)
        return refused(`Say in at most ${formatCount(MOST_FOCUS)} characters what must stay.`)
      const begun = await attempt(client['chat.compact']({ sessionId, focus }))
      if (begun.ok) void follow(begun.value.runId)
      return begun
    },
  }
}

const refused = (why: string): Outcome<never> => ({ ok: false, fault: new Fault('bad_input', why) })
