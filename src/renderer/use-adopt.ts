import type { Model } from '../shared/contract/model.ts'
import type { OpenChat } from './features/chat/chats.ts'
import { modelsText } from './features/models/strings.ts'
import { attempt } from './rpc/attempt.ts'
import { useHostStore, useLink } from './rpc/host-context.tsx'
import { showToast } from './ui/toasts.ts'

/** Where a model was added from: a chat wants it to answer there, and a dialog may have told of it already. */
type From = { chat: boolean; told?: boolean }

/**
 * What happens with a model that a person has just added: it answers in the chat that it was added from, and in new chats when
 * there was only the demo model before.
 */
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
    const { added, addedFirst, addedHere } = modelsText.add
    if (done.length > 0 || !told) showToast((isChat ? addedHere : isFirst ? addedFirst : added)(model.name))
  }
}
