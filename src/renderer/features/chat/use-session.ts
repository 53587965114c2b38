import type { Model } from '../../../shared/contract/model.ts'
import type { Session } from '../../../shared/contract/session.ts'
import { useHost } from '../../rpc/host-context.tsx'
import { useChat } from './chats.ts'

/** What the host says of this chat; undefined while it is new. */
export function useSession(): Session | undefined {
  const id = useChat(chat => chat.sessionId)
  return useHost(host => (id === null ? undefined : host.sessions[id]))
}

/** The model that answers here; a new chat takes the default one. */
export function useModel(): Model | undefined {
  const chosen = useSession()?.modelId
  return useHost(host => host.models.find(model => model.id === (chosen ?? host.defaultModelId)))
}

/** The folder that tools work in. */
export function useWorkspace(): string {
  const chosen = useSession()?.workspace
  return useHost(host => chosen ?? host.hello?.workspace ?? '')
}
