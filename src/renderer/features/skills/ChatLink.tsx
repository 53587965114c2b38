import type { ReactNode } from 'react'
import { go } from '../../route.ts'
import { useHost } from '../../rpc/host-context.tsx'

/** A link to the chat message that caused a change. */
export function ChatLink({
  sessionId,
  messageId,
}: {
  sessionId: string
  messageId: number | null
}): ReactNode {
  const title = useHost(host => host.sessions[sessionId]?.title)
  return (
    <button
      type="button"
      className="link-btn max-w-48 truncate"
      onClick={() => go({ chatId: sessionId, messageId })}
    >
      {title ? `from “${title}”` : 'from a chat'}
    </button>
  )
}
