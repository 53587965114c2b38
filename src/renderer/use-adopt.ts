import type { Model } from '../shared/contract/model.ts'
import type { OpenChat } from './features/chat/chats.ts'
import { attempt } from './rpc/attempt.ts'
import { useHostStore, useLink } from './rpc/host-context.tsx'
import { showToast } from './ui/toasts.ts'

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
      ...(isFirst ? [await attempt(client['model.setDefault']({ id: model.id }))] : []),
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
