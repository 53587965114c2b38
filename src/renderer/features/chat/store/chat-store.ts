import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Area } from '../../../../shared/contract/areas.ts'
import type { Session } from '../../../../shared/contract/chats/session.ts'
import type { HostStore } from '../../../rpc/host-store.ts'
import type { Link } from '../../../rpc/link.ts'
import {
  createChatMemory,
  createChatSkills,
  dismissedIn,
  type ChatMemory,
  type ChatSkills,
} from './chat-changes.ts'
import { createChatMessages, type ChatMessages } from './chat-messages.ts'
import { createChatOutbox, type ChatOutbox } from './chat-outbox.ts'
import { createChatRun, type ChatRun } from './chat-run.ts'
import { createChatSession, type ChatSession } from './chat-session.ts'
import { initialChat, type Access, type ChatState } from './chat-state.ts'
import { createChatAttachments, type ChatAttachments } from '../attach/chat-attachments.ts'
import { createChatFind, type ChatFind } from '../find/chat-find.ts'
import { createChatBranches, type ChatBranches } from '../branches/chat-branches.ts'
import { createChatCompare, type ChatCompare } from '../compare/chat-compare.ts'
import { createChatCompaction, type ChatCompaction } from '../compaction/chat-compaction.ts'
import { createChatLearning, type ChatLearning } from '../learning/chat-learning.ts'
import { createChatTakeBack, type ChatTakeBack } from '../take-back/chat-take-back.ts'
import { createChatRemember, type ChatRemember } from '../remember/chat-remember.ts'

/** Everything about one open chat. Each part has its own module. */
export type ChatStore = ChatState &
  ChatSession &
  ChatMessages &
  ChatRun &
  ChatOutbox &
  ChatAttachments &
  ChatBranches &
  ChatFind &
  ChatCompaction &
  ChatCompare &
  ChatLearning &
  ChatMemory &
  ChatRemember &
  ChatTakeBack &
  ChatSkills & {
    /** Why the chat failed to open or the last message failed to send; empty if all is well. */
    problem: string
    /** Start following the host. A chat that is not shown yet does not listen. */
    listen: () => void
    /** Stop listening and following the run; the run continues in the host. */
    close: () => void
  }

export type ChatOptions = {
  link: Link
  host: StoreApi<HostStore>
  sessionId: string | null
  /** Called when a new chat has become a session. */
  onCreated: (id: string) => unknown
}

/** One chat: its transcript, draft, queue and actions. It has no effect on anything until it is used. */
export function createChat({ link, host, sessionId, onCreated }: ChatOptions): StoreApi<ChatStore> {
  const closed = new AbortController()
  const { signal } = closed
  let stopListening: (() => void) | undefined
  const access: Access<ChatStore> = {
    get: () => chat.getState(),
    set: change => chat.setState(change),
  }
  const { get, set } = access
  const recordOf = (id: string | null): Session | undefined => host.getState().sessions[id ?? '']

  const session = createChatSession(host, {
    sessionId,
    get,
    onMade(id) {
      messages.skipOpening()
      set({ sessionId: id, phase: 'ready' })
      outbox.made()
      onCreated(id)
      run.catchUp(recordOf(id))
    },
  })

  const messages = createChatMessages(link, {
    ...access,
    sessionId,
    onOpened(record, isEmpty) {
      host.getState().knowSession(record)
      outbox.restore(record)
      branches.opened(record)
      files.opened(record)
      run.resume(record)
      if (get().messages.at(-1)?.role === 'user') void get().readCompared()
      if (!isEmpty) {
        void get().readCompactions()
        void get().readLearned()
        void get().readSkillChanges()
      }
    },
  })

  const run = createChatRun(link, {
    ...access,
    signal,
    session: () => recordOf(get().sessionId),
    refresh: messages.refresh,
    async onEnd(reason) {
      await branches.runEnded()
      await outbox.runEnded(reason)
    },
  })

  const branches = createChatBranches(link, access)

  const outbox = createChatOutbox(link, {
    ...access,
    host,
    signal,
    ensureSession: session.ensure,
    run,
    refresh: messages.refresh,
    filesSent: hashes => files.sent(hashes),
  })

  const files = createChatAttachments(link, { ...access, ensureSession: session.ensure })

  const chat = createStore<ChatStore>(() => ({
    ...initialChat,
    problem: '',
    dismissed: dismissedIn(sessionId),
    // A new chat has no findings yet.
    offers: sessionId === null ? [] : null,
    ...session.part,
    ...messages.part,
    ...run.part,
    ...outbox.part,
    ...files.part,
    ...branches.part,
    ...createChatFind(link, access),
    ...createChatCompaction(link, { ...access, follow: run.follow }),
    ...createChatCompare(link, { ...access, ensureSession: session.ensure, follow: run.follow }),
    ...createChatLearning(link, access),
    ...createChatMemory(link, access),
    ...createChatRemember(link, access),
    ...createChatSkills(link, access),
    ...createChatTakeBack(link, access),

    /** Handles runs started elsewhere, chats deleted elsewhere, and everything missed during a disconnect. */
    listen() {
      if (!stopListening && get().sessionId === null) outbox.begin()
      stopListening ??= both(
        host.subscribe((state, before) => {
          const id = get().sessionId
          if (state.changed !== before.changed) {
            reloadChanged(get(), state.changed)
            if (state.changed.includes('attachment')) files.heard()
          }
          if (id === null || state.sessions === before.sessions) return
          const now = state.sessions[id]
          if (!now && before.sessions[id]) set({ phase: 'missing' })
          if (now && get().phase === 'missing') set({ phase: 'ready' })
          if (now && get().phase === 'ready') branches.told(now)
          if (now) outbox.told(now)
          if (now && get().phase === 'ready') files.told(now)
          run.catchUp(now)
        }),
        link.subscribe(() => {
          if (link.state() !== 'connected') return
          if (get().phase === 'ready') {
            void messages.refresh()
            void get().readUnsent()
          } else if (get().phase === 'failed' || get().phase === 'loading') void get().open()
        }),
      )
    },

    close() {
      closed.abort()
      stopListening?.()
    },
  }))

  return chat
}

const both = (first: () => void, second: () => void) => () => {
  first()
  second()
}

/** Reload a chat's memory and skills when the host has reported changes. */
function reloadChanged(chat: ChatStore, areas: readonly Area[]): void {
  const isMemory = areas.includes('memory')
  const isSkills = areas.includes('skills')
  if (isMemory && chat.learned.length > 0) void chat.readLearned()
  if (isSkills && chat.skillChanges.length > 0) void chat.readSkillChanges()
}
