import type { Message } from '../../../shared/contract/messages.ts'
import type { Session } from '../../../shared/contract/session.ts'
import { attempt } from '../../rpc/attempt.ts'
import { whenConnected, type Link } from '../../rpc/link.ts'

type Sent = {
  sessionId: string
  text: string
  /** The newest message of the chat before it was sent. */
  after: number
}

/**
 * The line broke before the host had answered, so only the host knows whether the message arrived. Waits for the line.
 * The chat when it arrived, undefined when it did not or the signal aborts.
 */
export async function findSent(
  { client, ...link }: Link,
  { sessionId, text, after }: Sent,
  signal: AbortSignal,
): Promise<Session | undefined> {
  while (await whenConnected({ client, ...link }, signal)) {
    const found = await attempt(
      Promise.all([
        client['session.messages']({ id: sessionId, limit: 60 }, { signal }),
        client['session.get']({ id: sessionId }, { signal }),
      ]),
    )
    if (found.ok) {
      const [{ messages }, session] = found.value
      return messages.some(message => message.id > after && says(message, text)) ? session : undefined
    }
    if (found.fault.code !== 'disconnected') return undefined
    // The line may take a moment to notice that it is down.
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  return undefined
}

/** Whether a message is what was sent. The name of a skill stands before a text that sends it along. */
function says(message: Message, text: string): boolean {
  if (message.role !== 'user') return false
  return (
    message.text === text.trim() || (message.skill !== undefined && text.startsWith(`/${message.skill.name}`))
  )
}
