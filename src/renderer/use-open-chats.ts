import { useEffect, useLayoutEffect, useState } from 'react'
import { createChats, type OpenChat } from './features/chat/chats.ts'
import { nameChat } from './route.ts'
import { useHostStore, useLink } from './rpc/host-context.tsx'

/** The chat for an id, or the new chat without one. The object is kept when the new chat gets its id. */
export function useOpenChats(chatId: string | null): OpenChat {
  const link = useLink()
  const host = useHostStore()
  const [chats] = useState(() => createChats(link, host, nameChat))
  const chat = chats.open(chatId)

  useLayoutEffect(() => () => chats.leave(chat), [chats, chat])

  useEffect(() => {
    const save = () => document.hidden && void chat.store.getState().saveDraft()
    document.addEventListener('visibilitychange', save)
    return () => document.removeEventListener('visibilitychange', save)
  }, [chat])

  return chat
}
