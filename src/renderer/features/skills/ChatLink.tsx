import type { ReactNode } from 'react'
import { go } from '../../route.ts'
import { useHost } from '../../rpc/host-context.tsx'
import { skillsText } from './strings.ts'

/** The chat that a change came from, and the way to the message. */
export function ChatLink({
  sessionId,
  messageId,
}: {
  sessionId: string
  messageId: number | null
}): ReactNode {
  const title = useHost(host => host.sessions[sessionId]?.title)
  const text = skillsText.history
  return (
    <button
      type="button"
      className="link-btn max-w-48 truncate"
      onClick={() => go({ chatId: sessionId, messageId })}
    >
      {title ? text.from(title) : text.fromAChat}
    </button>
  )
}
