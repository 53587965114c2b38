import { useState } from 'react'
import type { Model } from '../shared/contract/model.ts'
import type { Skill } from '../shared/contract/skills.ts'
import type { OpenChat } from './features/chat/chats.ts'
import { goTo, type Page } from './route.ts'
import { attemptCall } from './rpc/attempt.ts'
import { useHostStore, useLink } from './rpc/host-context.tsx'
import { showToast } from './ui/toasts.ts'

/** A dialog or drawer over the page. At most one is open. */
export type Overlay =
  | { kind: 'shortcuts' | 'import' | 'scan' | 'deleted' }
  | { kind: 'list'; search: boolean }
  | { kind: 'export'; chatId: string }
  | { kind: 'model'; how: 'file' | 'server' }

export type WindowActions = ReturnType<typeof useWindowActions>['actions']

/** The open overlay, and what the user can do from any page: show another page, an overlay or a new chat. */
export function useWindowActions(chatId: string | null) {
  const { client } = useLink()
  const [overlay, setOverlay] = useState<Overlay | null>(null)
  const close = () => setOverlay(null)

  const openChat = (id: string | null, messageId: number | null = null) => {
    close()
    goTo({ chatId: id, messageId })
    if (id === null)
      requestAnimationFrame(() => document.querySelector<HTMLElement>('.composer-field')?.focus())
  }

  async function startChat(settings: { modelId?: string; workspace?: string }, draft?: string) {
    const made = await attemptCall(client['session.create'](settings))
    if (!made.ok) return showToast(made.fault.message, { level: 'error' })
    if (draft !== undefined) await attemptCall(client['session.update']({ id: made.value.id, draft }))
    openChat(made.value.id)
  }

  const actions = {
    close,
    openChat,
    newChat: () => openChat(null),
    openPage(page: Page) {
      close()
      goTo(page === 'chat' ? { chatId } : { page })
    },
    openSettings(section: string | null = null) {
      close()
      goTo({ page: 'settings', tab: section })
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
    openList: (search: boolean) => setOverlay({ kind: 'list', search }),
    openShortcuts: () => setOverlay({ kind: 'shortcuts' }),
    openImport: () => setOverlay({ kind: 'import' }),
    exportChat: (id: string) => setOverlay({ kind: 'export', chatId: id }),
    openDeleted: () => setOverlay({ kind: 'deleted' }),
    openScan: () => setOverlay({ kind: 'scan' }),
    addModel: (how: 'file' | 'server' = 'file') => setOverlay({ kind: 'model', how }),
  }
  return { overlay, actions }
}

/** Whether the model was added from the chat, which then uses it, and whether a dialog already said so. */
type From = { chat: boolean; told?: boolean }

/** Uses a new model in the chat it was added from, and in new chats if the default was the demo model. */
export function useAdopt(chat: OpenChat): (model: Model, from: From) => Promise<void> {
  const { client } = useLink()
  const host = useHostStore()
  return async (model, { chat: isChat, told = false }) => {
    const { models, defaultModelId } = host.getState()
    const isFirst = models.find(each => each.id === defaultModelId)?.demo === true
    const done = [
      ...(isFirst ? [await attemptCall(client['model.setDefault']({ id: model.id }))] : []),
      ...(isChat ? [await chat.store.getState().change({ modelId: model.id })] : []),
    ]
    const failed = done.find(each => !each.ok)
    if (failed && !failed.ok) return showToast(failed.fault.message, { level: 'error' })
    if (done.length === 0 && told) return
    const what = isChat
      ? 'was added and answers in this chat now'
      : isFirst
        ? 'answers in new chats now'
        : 'was added'
    showToast(`${model.name} ${what}.`)
  }
}
