import type { FoundMessage } from '../../../../shared/contract/chats/finding.ts'
import { attemptCall, type Outcome } from '../../../rpc/attempt.ts'
import type { Link } from '../../../rpc/link.ts'
import type { Access } from '../store/chat-state.ts'

/** A search in the chat, with its position. */
export type Finding = {
  query: string
  /** Whether tool results are searched too. */
  tools: boolean
  /** Undefined until the host has answered the query. */
  answer: Outcome<{ found: readonly FoundMessage[]; total: number; more: boolean }> | undefined
  /** The index of the shown match, from 0; -1 if none is shown yet. */
  at: number
  /** The message to start from: the one that was in view. */
  from: number
}

/** A match: its message, and its index in it. */
export type Spot = { messageId: number; nth: number }

/** Finding a text in the whole chat. */
export type ChatFind = {
  /** Null while no search is open. */
  finding: Finding | null
  startFind: (from: number) => void
  endFind: () => void
  /** Change the search. An empty query finds nothing. */
  find: (change: { query?: string; tools?: boolean }) => Promise<void>
  /** Go to the next match, or with -1 to the previous one. Wraps around. */
  goToFind: (steps: 1 | -1) => Promise<void>
}

type Fields = ChatFind & { sessionId: string | null; show: (messageId: number) => Promise<Outcome<unknown>> }

/** The part of the chat store that finds texts. */
export function createChatFind({ client }: Pick<Link, 'client'>, { get, set }: Access<Fields>): ChatFind {
  let over = new AbortController()
  const change = (part: Partial<Finding>) =>
    set(({ finding }) => ({ finding: finding && { ...finding, ...part } }))

  async function goTo(at: number) {
    change({ at })
    const { finding } = get()
    const spot = finding && spotOf(finding)
    if (spot) await get().show(spot.messageId)
  }

  return {
    finding: null,
    startFind: from => set({ finding: { query: '', tools: false, answer: undefined, at: -1, from } }),
    endFind() {
      over.abort()
      set({ finding: null })
    },
    async find(asked) {
      over.abort()
      const own = (over = new AbortController())
      change({ ...asked, answer: undefined, at: -1 })
      const { finding, sessionId } = get()
      if (!finding || sessionId === null || finding.query.trim() === '') return
      const { query, tools, from } = finding
      const answer = await attemptCall(
        client['chat.find']({ sessionId, query, tools }, { signal: own.signal }),
      )
      if (own.signal.aborted) return
      change({ answer })
      if (answer.ok && answer.value.total > 0) await goTo(firstFrom(answer.value.found, from))
    },
    async goToFind(steps) {
      const { finding } = get()
      if (!finding?.answer?.ok || finding.answer.value.total === 0) return
      const { total } = finding.answer.value
      await goTo((finding.at + steps + total) % total)
    },
  }
}

/** The first match in or after a message, else the first of all. */
function firstFrom(found: readonly FoundMessage[], from: number): number {
  let before = 0
  for (const { messageId, count } of found) {
    if (messageId >= from) return before
    before += count
  }
  return 0
}

/** The position of the shown match. */
export function spotOf({ answer, at }: Finding): Spot | null {
  if (!answer?.ok || at < 0) return null
  let left = at
  for (const { messageId, count } of answer.value.found) {
    if (left < count) return { messageId, nth: left }
    left -= count
  }
  return null
}

/** Whether the shown match is in this message, which is then expanded. */
export const isFoundIn = (
  { finding }: Pick<ChatFind, 'finding'>,
  messageId: number | null | undefined,
): boolean => finding !== null && messageId != null && spotOf(finding)?.messageId === messageId
