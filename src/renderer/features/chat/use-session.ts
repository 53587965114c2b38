import type { Model } from '../../../shared/contract/model.ts'
import type { Session } from '../../../shared/contract/session.ts'
import { useHost } from '../../rpc/host-context.tsx'
import { useChat } from './chats.ts'

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
