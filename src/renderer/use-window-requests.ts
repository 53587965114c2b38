import { useEffect, useEffectEvent, useRef } from 'react'
import type { WindowRequest } from '../shared/contract/desktop.ts'
import type { OpenChat } from './features/chat/chats.ts'
import { focusSearch } from './features/sessions/chat-row-focus.ts'
import { goTo, type Place } from './route.ts'
import { attemptCall } from './rpc/attempt.ts'
import { useLink } from './rpc/host-context.tsx'
import { whenConnected } from './rpc/link.ts'
import { showToast } from './ui/toasts.ts'
import type { WindowActions } from './window-actions.ts'
import { useIsDesktop } from './desktop.tsx'

/**
 * Does what the desktop app asks of this window: links, menus, notifications and further starts. They open and fill in; a
 * text joins what is already in the field of the new chat, and the user sends it.
 */
export function useWindowRequests(chatId: string | null, chat: OpenChat, actions: WindowActions): void {
  const link = useLink()
  const isDesktop = useIsDesktop()
  /** The text of a link, until the new chat is shown. */
  const text = useRef<string | null>(null)

  useEffect(() => {
    if (text.current === null || chatId !== null) return
    addToDraft(chat, text.current)
    text.current = null
  }, [chatId, chat])

  const take = useEffectEvent((request: WindowRequest) => {
    switch (request.type) {
      case 'page':
        actions.close()
        goTo(placeOf(request))
        break
      case 'chat':
        actions.openChat(request.id)
        break
      case 'draft':
        if (chatId === null) addToDraft(chat, request.text)
        else text.current = request.text
        actions.newChat()
        break
      case 'folder':
        actions.startIn(request.folder)
        break
      case 'search':
        if (!focusSearch()) actions.openList(true)
        break
      case 'trouble':
        showToast(request.text, { level: 'error', ms: 15_000 })
    }
  })
  useEffect(() => {
    if (!isDesktop) return undefined
    const leave = new AbortController()
    const { signal } = leave
    const follow = async () => {
      for await (const request of link.client['desktop.watch']({}, { signal })) take(request)
    }
    const stay = async () => {
      while (await whenConnected(link, signal)) {
        const ended = await attemptCall(follow())
        // A newer page of the app follows now, or the host does not offer this.
        if (ended.ok || ended.fault.code !== 'disconnected') return
      }
    }
    void stay()
    return () => leave.abort()
  }, [isDesktop, link])
}

function placeOf({ page, tab }: Extract<WindowRequest, { type: 'page' }>): Place {
  return page === 'models' || page === 'settings' ? { page, tab } : { page }
}

function addToDraft(chat: OpenChat, text: string): void {
  const { draft, setDraft } = chat.store.getState()
  setDraft(draft.trim() === '' ? text : `${draft}\n\n${text}`)
}
