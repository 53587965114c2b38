import type { Session } from '../../../../shared/contract/chats/session.ts'
import type { Message } from '../../../../shared/contract/chats/messages.ts'
import { attemptCall, type Outcome } from '../../../rpc/attempt.ts'
import type { Link } from '../../../rpc/link.ts'
import { mergeNewest, mergeOlder, type Access, type ChatState, type Page } from './chat-state.ts'

/** The stored messages of a chat: opening it, older pages, and the message to scroll to. */
export type ChatMessages = {
  phase: 'new' | 'loading' | 'ready' | 'missing' | 'failed'
  loadingOlder: boolean
  /** The message to scroll to next. It is loaded, or does not exist. */
  goal: number | null
  open: () => Promise<void>
  loadOlder: () => Promise<void>
  /** Load all older messages, up to the maximum for a window. */
  loadAll: () => Promise<void>
  /** Scroll to a message, loading older pages as needed. */
  show: (messageId: number) => Promise<Outcome<unknown>>
  /** Call this when the transcript has reached its target. */
  arrived: () => void
}

type Fields = ChatState & ChatMessages & { sessionId: string | null; problem: string }

type Options = Access<Fields> & {
  sessionId: string | null
  /** Called when the chat was opened, with the host's record of it and whether it has no messages. */
  onOpened: (session: Session, isEmpty: boolean) => void
}

const PAGE = 60
/** Page size of a distant jump, and messages to load above its target to avoid shifts under the reader. */
const LONG_PAGE = 500
const MARGIN = 60
/** Maximum number of messages loaded of a chat; `more` stays true if there are older ones. */
const MOST_LOADED = 20_000

/** The part of the chat store that loads messages. */
export function createChatMessages(
  { client }: Pick<Link, 'client'>,
  { sessionId, get, set, onOpened }: Options,
): {
  part: ChatMessages
  /** Load the newest messages again. */
  refresh: () => Promise<void>
  /** A session that was just created has nothing to load. */
  skipOpening: () => void
} {
  let opening: Promise<void> | undefined
  let loadingAll: Promise<void> | undefined

  async function readAll() {
    await get().open()
    await fetchBackTo(0)
  }

  async function read() {
    const id = get().sessionId!
    const found = await attemptCall(
      Promise.all([client['session.get']({ id }), client['session.messages']({ id, limit: PAGE })]),
    )
    if (!found.ok) {
      opening = undefined
      const missing = found.fault.code === 'not_found'
      return set({ phase: missing ? 'missing' : 'failed', problem: found.fault.message })
    }
    const [session, page] = found.value
    set(state => ({ ...mergeNewest(state, page), phase: 'ready', problem: '' }))
    onOpened(session, page.messages.length === 0)
  }

  async function fetchOlder(): Promise<Outcome<unknown>> {
    const { sessionId: id, messages } = get()
    const before = messages[0]?.id
    if (id === null || before === undefined) return { ok: true, value: undefined }
    set({ loadingOlder: true })
    const page = await attemptCall(client['session.messages']({ id, before, limit: PAGE }))
    set(state => ({ ...(page.ok ? mergeOlder(state, page.value) : state), loadingOlder: false }))
    return page
  }

  /** Load older pages up to some before a message. They are added together, so a far jump renders once. */
  async function fetchBackTo(messageId: number): Promise<Outcome<unknown>> {
    const { sessionId: id, messages, more } = get()
    let page: Page = { messages, more }
    let fetched: readonly Message[] = []
    const isThere = () =>
      !page.more ||
      fetched.length + messages.length >= MOST_LOADED ||
      [...fetched, ...messages].filter(message => message.id < messageId).length >= MARGIN
    if (id === null || isThere()) return { ok: true, value: undefined }
    set({ loadingOlder: true })
    let answer: Outcome<Page> = { ok: true, value: page }
    while (answer.ok && !isThere()) {
      const before = (fetched[0] ?? messages[0])?.id
      if (before === undefined) break
      answer = await attemptCall(client['session.messages']({ id, before, limit: LONG_PAGE }))
      if (!answer.ok) break
      page = answer.value
      fetched = [...page.messages, ...fetched]
    }
    set(state => ({ ...mergeOlder(state, { messages: fetched, more: page.more }), loadingOlder: false }))
    return answer
  }

  return {
    async refresh() {
      const id = get().sessionId
      if (id === null) return
      const page = await attemptCall(client['session.messages']({ id, limit: PAGE }))
      if (page.ok) set(state => mergeNewest(state, page.value))
    },

    skipOpening() {
      opening = Promise.resolve()
    },

    part: {
      phase: sessionId === null ? 'new' : 'loading',
      loadingOlder: false,
      goal: null,

      async open() {
        if (get().sessionId !== null) await (opening ??= read())
      },

      async loadOlder() {
        const { more, loadingOlder } = get()
        if (more && !loadingOlder) await fetchOlder()
      },

      async loadAll() {
        await (loadingAll ??= readAll().finally(() => {
          loadingAll = undefined
        }))
      },

      async show(messageId) {
        await get().open()
        const fetched = await fetchBackTo(messageId)
        if (!fetched.ok) return fetched
        set({ goal: messageId })
        return { ok: true, value: undefined }
      },

      arrived: () => set({ goal: null }),
    },
  }
}
