import { useCallback, useEffect, useState } from 'react'
import type { HostClient } from '../../../../shared/contract/index.ts'
import { attempt, type Outcome } from '../../../rpc/attempt.ts'
import { useHost, useLink } from '../../../rpc/host-context.tsx'
import { isBusy } from '../chat-state.ts'
import { useChat } from '../chats.ts'
import { useSession } from '../use-session.ts'

/** The context of the model in a chat. */
export type ContextOfChat = Awaited<ReturnType<HostClient['session.context']>>

/**
 * The context of the model in a chat, reloaded when it may have changed; undefined until the first response.
 * The last value stays while the next one loads.
 */
export function useContextOfChat(id: string): {
  context: Outcome<ContextOfChat> | undefined
  /** Whether a newer value is loading. */
  reading: boolean
  reload: () => void
} {
  const { client } = useLink()
  const busy = useChat(isBusy)
  const messages = useChat(chat => chat.messages.at(-1)?.id)
  const memoryVersion = useHost(host => host.memoryVersion)
  const { modelId, workspace, approval } = useSession() ?? {}
  const [read, setRead] = useState<{ key: string; context: Outcome<ContextOfChat> }>()
  const [asked, setAsked] = useState(0)
  // Every step of a turn changes the history. Reloading at its end is soon enough.
  const settled = busy ? 'busy' : messages
  const key = JSON.stringify([id, settled, memoryVersion, modelId, workspace, approval, asked])

  useEffect(() => {
    const over = new AbortController()
    const asked = attempt(client['session.context']({ id }, { signal: over.signal }))
    void asked.then(context => !over.signal.aborted && setRead({ key, context }))
    return () => over.abort()
  }, [client, id, key])

  return {
    context: read?.context,
    reading: read?.key !== key,
    reload: useCallback(() => setAsked(count => count + 1), []),
  }
}
