import { useState, useEffect, useEffectEvent, useRef } from 'react'
import type { Model } from '../shared/contract/models/model.ts'
import type { Skill } from '../shared/contract/learned/skills.ts'
import type { OpenChat } from './features/chat/store/open-chats.ts'
import type { AskedOfList } from './features/sessions/Sidebar.tsx'
import { focusSearch } from './features/sessions/chat-row-focus.ts'
import { goTo, type Page, type Place } from './route.ts'
import type { StoreApi } from 'zustand'
import type { ModelsStore } from './features/models/use-models.ts'
import { usePrintRequests } from './print-request.ts'
import { attemptCall, type Outcome } from './rpc/attempt.ts'
import { useHost, useHostStore, useLink } from './rpc/host-context.tsx'
import { useActions } from './use-actions.ts'
import { makeWay } from './ui/Dialog.tsx'
import { showToast } from './ui/Toasts.tsx'
import type { WindowRequest } from '../shared/contract/desktop.ts'
import { useIsDesktop } from './desktop.tsx'
import { whenConnected } from './rpc/link.ts'

/** A dialog or drawer over the page. At most one is open. */
export type Overlay =
  | { kind: 'shortcuts' | 'import' | 'scan' | 'deleted' | 'palette' }
  | { kind: 'list'; search: boolean; asked?: AskedOfList | undefined }
  /** What the list of chats on the page should show. */
  | { kind: 'search'; asked: AskedOfList }
  | { kind: 'exportMany'; ids: readonly string[] }
  | { kind: 'export'; chatId: string }
  | { kind: 'print'; chatId: string; branches: 'path' | 'all'; tools: boolean; only?: number }
  | { kind: 'model'; how: 'file' | 'server' }

export type WindowActions = ReturnType<typeof useWindowActions>['actions']

/** The open overlay, and the actions possible from any page: show another page, an overlay or a new chat. */
export function useWindowActions(chatId: string | null, stores: { models: StoreApi<ModelsStore> }) {
  const { client } = useLink()
  const [overlay, setOverlay] = useState<Overlay | null>(null)
  const close = () => setOverlay(null)

  const openChat = (id: string | null, messageId: number | null = null) => {
    close()
    goTo({ chatId: id, messageId })
    if (id === null)
      requestAnimationFrame(() => document.querySelector<HTMLElement>('.composer-field')?.focus())
  }

  async function startChat(
    settings: { modelId?: string; workspace?: string; projectId?: string; temporary?: true },
    draft?: string,
  ) {
    const made = await attemptCall(client['session.create'](settings))
    if (!made.ok) return showToast(made.fault.message, { level: 'error' })
    if (draft !== undefined) await attemptCall(client['session.update']({ id: made.value.id, draft }))
    openChat(made.value.id)
  }

  const actions = {
    close,
    openChat,
    newChat: () => openChat(null),
    newTemporaryChat: () => void startChat({ temporary: true }),
    openPage(page: Page) {
      close()
      goTo(page === 'chat' ? { chatId } : { page })
    },
    openSettings(section: string | null = null) {
      close()
      goTo({ page: 'settings', tab: section })
    },
    openHelp() {
      close()
      goTo({ page: 'help' })
    },
    openModels(tab: string | null = null) {
      close()
      goTo({ page: 'models', tab })
    },
    /** Opens a new chat whose draft starts with the skill's name. */
    trySkill: ({ name, project }: Skill) =>
      void startChat(project === null ? {} : { workspace: project }, `/${name} `),
    /** Opens a new chat in the folder. */
    startIn: (workspace: string) => void startChat({ workspace }),
    /** Opens a new chat with the model. */
    tryModel: ({ id }: Model) => void startChat({ modelId: id }),
    /** Shows the projects, with one of them open. */
    openProjects(projectId: string | null = null) {
      close()
      goTo({ page: 'projects', itemId: projectId })
    },
    /** Opens a new chat of the project. */
    startInProject: (projectId: string) => void startChat({ projectId }),
    /** Shows the card of a model. */
    showModel(id: string) {
      close()
      stores.models.getState().open(id)
      goTo({ page: 'models', tab: 'installed' })
    },
    /** Searches all messages, in the list of chats on the page, or else in a drawer over it. */
    searchChats(query: string) {
      const asked = { query }
      setOverlay(focusSearch() ? { kind: 'search', asked } : { kind: 'list', search: true, asked })
    },
    /** Shows the archived chats in the list. */
    showArchived() {
      const asked = { query: '', archived: true as const }
      setOverlay(focusSearch() ? { kind: 'search', asked } : { kind: 'list', search: false, asked })
    },
    exportChats: (ids: readonly string[]) => setOverlay({ kind: 'exportMany', ids }),
    /** Opens the palette, unless a question is waiting for an answer. */
    openPalette() {
      if (overlay?.kind !== 'palette' && makeWay()) setOverlay({ kind: 'palette' })
    },
    openList: (search: boolean) => setOverlay({ kind: 'list', search }),
    openShortcuts: () => setOverlay({ kind: 'shortcuts' }),
    openImport: () => setOverlay({ kind: 'import' }),
    exportChat: (id: string) => setOverlay({ kind: 'export', chatId: id }),
    printChat: (id: string, what: { branches: 'path' | 'all'; tools: boolean }) =>
      setOverlay({ kind: 'print', chatId: id, ...what }),
    openDeleted: () => setOverlay({ kind: 'deleted' }),
    openScan: () => setOverlay({ kind: 'scan' }),
    addModel: (how: 'file' | 'server' = 'file') => setOverlay({ kind: 'model', how }),
  }
  usePrintRequests(({ chatId: id, messageId }) =>
    setOverlay({ kind: 'print', chatId: id, branches: 'path', tools: false, only: messageId }),
  )
  return { overlay, actions }
}

/** Whether the model was added from the chat, which then uses it, and whether a dialog already said so. */
type From = { chat: boolean; reported?: boolean }

/** Uses a new model in the chat it was added from, and in new chats if the default was the demo model. */
export function useAdopt(chat: OpenChat): (model: Model, from: From) => Promise<void> {
  const { client } = useLink()
  const host = useHostStore()
  return async (model, { chat: isChat, reported = false }) => {
    const { models, defaultModelId } = host.getState()
    const isFirst = models.find(each => each.id === defaultModelId)?.demo === true
    const done = [
      ...(isFirst ? [await attemptCall(client['model.setDefault']({ id: model.id }))] : []),
      ...(isChat ? [await chat.store.getState().change({ modelId: model.id })] : []),
    ]
    const failed = done.find(each => !each.ok)
    if (failed && !failed.ok) return showToast(failed.fault.message, { level: 'error' })
    if (done.length === 0 && reported) return
    const { name } = model
    showToast(
      isChat
        ? `${name} was added and now answers in this chat.`
        : isFirst
          ? `${name} now answers in new chats.`
          : `${name} was added.`,
    )
  }
}

/** The keyboard shortcuts that work on every page. Search opens the list only when no search field is visible. */
export function useShortcuts(enabled: boolean, actions: WindowActions, chatId: string | null): void {
  const host = useHostStore()
  const theme = useHost(each => each.settings.theme)
  const locked = useHost(each => each.locked)
  const to = (wanted: typeof theme) =>
    wanted === theme ? undefined : () => void host.getState().setSettings({ theme: wanted }).then(tellTrouble)
  const lock = (wanted: boolean) =>
    wanted === locked ? undefined : () => void host.getState().setLocked(wanted).then(tellTrouble)
  const everywhere: Parameters<typeof useActions>[0] = {
    'palette.open': actions.openPalette,
    'chat.new': actions.newChat,
    'chat.newTemporary': actions.newTemporaryChat,
    'chats.search': () => focusSearch() || actions.openList(true),
    'chats.archived': actions.showArchived,
    'chats.deleted': actions.openDeleted,
    'chats.import': actions.openImport,
    'settings.open': () => actions.openSettings(),
    'help.open': actions.openHelp,
    'shortcuts.open': actions.openShortcuts,
    'model.addFile': () => actions.addModel('file'),
    'model.addServer': () => actions.addModel('server'),
    'model.scan': actions.openScan,
    'theme.system': to('system'),
    'theme.light': to('light'),
    'theme.dark': to('dark'),
    // The browser's own print would show only what is in view.
    'chat.print':
      chatId === null ? undefined : () => actions.printChat(chatId, { branches: 'path', tools: false }),
    'network.lock': lock(true),
    'network.unlock': lock(false),
  }
  useActions(enabled ? everywhere : {})
}

function tellTrouble(outcome: Outcome<unknown>): void {
  if (!outcome.ok) showToast(outcome.fault.message, { level: 'error' })
}

/**
 * Handles requests of the desktop app: links, menus, notifications and further launches. They only open
 * things and fill in text: a text is added to the draft of the new chat, and the user sends it.
 */
export function useWindowRequests(chatId: string | null, chat: OpenChat, actions: WindowActions): void {
  const link = useLink()
  const isDesktop = useIsDesktop()
  /** The text from a link, held until the new chat is shown. */
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
      case 'palette':
        actions.openPalette()
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
        // Otherwise a newer page of the app is loading, or the host does not offer this.
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
