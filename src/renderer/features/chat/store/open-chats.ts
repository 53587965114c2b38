import { createContext, use, useEffect, useLayoutEffect, useMemo, useState } from 'react'
import type { CacheSnapshot } from 'virtua'
import { useStore, type StoreApi } from 'zustand'
import type { Model } from '../../../../shared/contract/models/model.ts'
import type { Session } from '../../../../shared/contract/chats/session.ts'
import { nameChat } from '../../../route.ts'
import { useHost, useHostStore, useLink } from '../../../rpc/host-context.tsx'
import type { HostStore } from '../../../rpc/host-store.ts'
import type { Link } from '../../../rpc/link.ts'
import type { Kept } from '../../../ui/row-state.tsx'
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
  /** State of the rows that outlives them, such as whether they are expanded. */
  kept: Kept
  /** The reading position, while the transcript is mounted. */
  place?: ReadingPlace | undefined
}

/** The reading position in a mounted transcript. */
type ReadingPlace = {
  /** The first message in view; null if there is none. */
  topId: () => number | null
  /** Remembers the position; the returned function goes back there. */
  keep: () => () => void
}

/** Maximum number of idle chats to keep open in the background. */
const KEPT = 8

type Chats = {
  /** The open chat of a session, or the open new chat; else a fresh one, which is not open. No effects. */
  find: (sessionId: string | null) => OpenChat
  /** The user now sees this chat: keep it open, and close the least recently used chats. */
  enter: (chat: OpenChat) => void
  /** The user leaves a chat: save its draft, and drop it if it is empty. */
  leave: (chat: OpenChat) => void
}

/**
 * The open chats of this window. Busy chats stay open, so that their queues continue in the background.
 * `onCreated` is called when the visible chat becomes a session.
 */
function createChats(link: Link, host: StoreApi<HostStore>, onCreated: (sessionId: string) => void): Chats {
  /** Least recently used first. */
  let open: OpenChat[] = []
  let lastKey = 0

  const letGo = (chat: OpenChat) => {
    open = open.filter(each => each !== chat)
    chat.store.getState().close()
  }

  function fresh(sessionId: string | null): OpenChat {
    const chat: OpenChat = {
      // A chat that is never shown only leaves a gap in the numbers.
      key: `chat-${++lastKey}`,
      view: { following: true, offset: 0, cache: undefined, count: 0, kept: new Map() },
      store: createChat({
        link,
        host,
        sessionId,
        onCreated: id => open.at(-1) === chat && onCreated(id),
      }),
    }
    return chat
  }

  return {
    find: sessionId => open.find(chat => chat.store.getState().sessionId === sessionId) ?? fresh(sessionId),

    enter(chat) {
      open = [...open.filter(each => each !== chat), chat]
      chat.store.getState().listen()
      const idle = open.filter(each => each !== chat && !isHeld(each.store.getState()))
      idle.slice(0, Math.max(0, idle.length - KEPT)).forEach(letGo)
    },

    leave(chat) {
      const { saveDraft, sessionId, messages, draft, queue, pending, phase, unsent, arriving } =
        chat.store.getState()
      void saveDraft()
      const known = host.getState().sessions[sessionId ?? '']
      const unused =
        phase === 'ready' && messages.length === 0 && pending === null && known?.messageCount === 0
      const holds = draft !== '' || queue.length + unsent.length + arriving.length > 0
      if (unused && known.origin === 'window' && !holds) {
        letGo(chat)
        void host.getState().removeSession(known.id)
      }
    },
  }
}

const isHeld = (chat: ChatStore) =>
  chat.sessionId === null ||
  isBusy(chat) ||
  chat.pending !== null ||
  chat.queue.length + chat.arriving.length > 0

/**
 * The chat that the window shows: of the given id, or the new chat without one. The object is kept when the new
 * chat gets its id. Rendering only finds or prepares it; it opens once it is on the screen.
 */
export function useShownChat(chatId: string | null): OpenChat {
  const link = useLink()
  const host = useHostStore()
  const [chats] = useState(() => createChats(link, host, nameChat))
  const chat = useMemo(() => chats.find(chatId), [chats, chatId])

  useLayoutEffect(() => {
    chats.enter(chat)
    return () => chats.leave(chat)
  }, [chats, chat])

  useEffect(() => {
    const { saveDraft, readUnsent } = chat.store.getState()
    // An attached file may have changed on disk, which is not reported.
    const look = () => void (document.hidden ? saveDraft() : readUnsent())
    document.addEventListener('visibilitychange', look)
    window.addEventListener('focus', look)
    const leave = () => void saveDraft()
    window.addEventListener('pagehide', leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      document.removeEventListener('visibilitychange', look)
      window.removeEventListener('focus', look)
    }
  }, [chat])

  return chat
}

/** The chat of a sub-agent, followed beside the visible chat while the component is mounted. */
export function useChatBeside(sessionId: string): OpenChat {
  const link = useLink()
  const host = useHostStore()
  const chat = useMemo(
    (): OpenChat => ({
      key: `beside-${sessionId}`,
      view: { following: true, offset: 0, cache: undefined, count: 0, kept: new Map() },
      store: createChat({ link, host, sessionId, onCreated: () => undefined }),
    }),
    [link, host, sessionId],
  )
  useEffect(() => {
    const { listen, open, close } = chat.store.getState()
    listen()
    void open()
    return close
  }, [chat])
  return chat
}

export const ChatContext = createContext<OpenChat | null>(null)

/** The chat that contains the component. */
export function useOpenChat(): OpenChat {
  const chat = use(ChatContext)
  if (!chat) throw new Error('Part of a chat was rendered outside ChatPage.')
  return chat
}

/** Select a part of the chat. The component re-renders only when that part changes. */
export const useChat = <T>(select: (chat: ChatStore) => T): T => useStore(useOpenChat().store, select)

/** The host's record of this chat; undefined while the chat is new. */
export function useSession(): Session | undefined {
  const id = useChat(chat => chat.sessionId)
  return useHost(host => (id === null ? undefined : host.sessions[id]))
}

/** The model that answers in this chat; a new chat uses the default. */
export function useModel(): Model | undefined {
  const chosen = useSession()?.modelId
  return useHost(host => host.models.find(model => model.id === (chosen ?? host.defaultModelId)))
}

/** The folder that tools work in. */
export function useWorkspace(): string {
  const chosen = useSession()?.workspace
  return useHost(host => chosen ?? host.hello?.workspace ?? '')
}
