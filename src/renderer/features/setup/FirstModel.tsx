import { useEffect, useState } from 'react'
import { attempt } from '../../rpc/attempt.ts'
import { useHost, useHostStore, useLink } from '../../rpc/host-context.tsx'
import { showToast } from '../../ui/toasts.ts'
import { setupText } from './strings.ts'

/**
 * Lets the first model that arrives answer in new chats, as long as only the demo model does: who fetched one meant to use it.
 * It listens for as long as the window is open, because a download outlives the first steps.
 */
export function FirstModel(): null {
  const { client } = useLink()
  const host = useHostStore()
  const arrived = useHost(({ transfers, models }) =>
    transfers.find(
      ({ state, modelId }) => state === 'done' && models.some(({ id, demo }) => id === modelId && !demo),
    ),
  )
  const [openedAt] = useState(() => Date.now())
  const modelId = arrived?.modelId ?? null
  const endedAt = arrived?.endedAt ?? 0
  useEffect(() => {
    const { models, defaultModelId } = host.getState()
    const model = models.find(each => each.id === modelId)
    const before = models.find(each => each.id === defaultModelId)
    // What came before this window was open, a person has met, and has left as it is.
    if (!model || before?.demo !== true || endedAt < openedAt) return
    void attempt(client['model.setDefault']({ id: model.id })).then(set => {
      if (set.ok) showToast(setupText.first(model.name))
    })
  }, [client, host, modelId, endedAt, openedAt])
  return null
}
