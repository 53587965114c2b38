import { useEffect, useState } from 'react'
import { attempt } from '../../rpc/attempt.ts'
import { useHost, useHostStore, useLink } from '../../rpc/host-context.tsx'
import { showToast } from '../../ui/toasts.ts'

/**
 * Makes the first model that arrives the default for new chats while the demo model is the default,
 * because a user who downloads a model means to use it.
 * It listens while the window is open, because a download can outlast the setup.
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
    // The user knows of models that arrived before this window opened, and has kept the default.
    if (!model || before?.demo !== true || endedAt < openedAt) return
    void attempt(client['model.setDefault']({ id: model.id })).then(set => {
      if (set.ok) showToast(`${model.name} answers in new chats now.`)
    })
  }, [client, host, modelId, endedAt, openedAt])
  return null
}
