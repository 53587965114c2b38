import { createContext, use } from 'react'
import type { CacheSnapshot } from 'virtua'
import { useStore, type StoreApi } from 'zustand'
import type { HostStore } from '../../rpc/host-store.ts'
import type { Link } from '../../rpc/link.ts'
import { isBusy } from './chat-state.ts'
import { createChat, type ChatStore } from './chat-store.ts'

/** An open chat of this window; `key` stays the same when a new chat becomes a session. */
export type OpenChat = { key: string; store: StoreApi<ChatStore>; view: View }

/** The reader's scroll position. It is kept outside the store because no component renders it. */
export type View = {
  following: boolean
  offset: number
  cache: CacheSnapshot | undefined
  count: number
  /** The rows that the reader expanded, by key. */
  opened: Set<string>
}

/** Idle chats to keep open in the background. */
const KEPT = 8

export type Chats = {
  /** The chat of a session, or the one new chat without a session. */
  open: (sessionId: string | null) => OpenChat
  /** Clean up when the user leaves a chat: save its draft, drop it if it is empty, evict old chats. */
  leave: (chat: OpenChat) => void
  close: () => void
}

/**
 * The open chats of this window. Busy chats stay open, so that their queues continue in the background.
 * `onCreated` is called when the visible chat becomes a session.
 */
export function createChats(
  link: Link,
  host: StoreApi<HostStore>,
  onCreated: (sessionId: string) => void,
): Chats {
  /** Least recently used first. */
  let open: OpenChat[] = []
  let lastKey = 0

  const idOf = (chat: OpenChat) => chat.store.getState().sessionId
  const letGo = (chat: OpenChat) => {
    open = open.filter(each => each !== chat)
    chat.store.getState().close()
  }

  return {
    open(sessionId) {
      const known = open.find(chat => idOf(chat) === sessionId)
      if (known) {
        open = [...open.filter(chat => chat !== known), known]
        return known
      }
      const chat: OpenChat = {
        key: `chat-${++lastKey}`,
        view: { following: true, offset: 0, cache: undefined, count: 0, opened: new Set() },
        store: createChat({
          link,
          host,
          sessionId,
          onCreated: id => open.at(-1) === chat && onCreated(id),
        }),
      }
      open.push(chat)
      return chat
    },

    leave(chat) {
      const { saveDraft, sessionId, messages, draft, queue, pending, phase } = chat.store.getState()
      void saveDraft()
      const known = host.getState().sessions[sessionId ?? '']
      const unused =
        phase === 'ready' && messages.length === 0 && pending === null && known?.messageCount === 0
      if (unused && known.source === 'window' && draft === '' && queue.length === 0) {
        letGo(chat)
        void host.getState().removeSession(known.id)
      }
      const idle = open.filter(each => each !== chat && !isHeld(each.store.getState()))
      idle.slice(0, Math.max(0, idle.length - KEPT)).forEach(letGo)
    },

    close() {
      open.forEach(chat => chat.store.getState().close())
      open = []
    },
  }
}

const isHeld = (chat: ChatStore) =>
  chat.sessionId === null || isBusy(chat) || chat.pending !== null || chat.queue.length > 0

export const ChatContext = createContext<OpenChat | null>(null)

/** The chat that contains the component. */
export function useOpenChat(): OpenChat {
  const chat = use(ChatContext)
  if (!chat) throw new Error('A part of a chat was drawn outside of ChatPage.')
  return chat
}

/** Select a part of the chat. The component re-renders only when that part changes. */
export const useChat = <T>(select: (chat: ChatStore) => T): T => useStore(useOpenChat().store, select)
