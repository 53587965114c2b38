import type { Message } from '../../../shared/contract/messages.ts'
import type { Session } from '../../../shared/contract/session.ts'
import { attempt, type Outcome } from '../../rpc/attempt.ts'
import { whenConnected, type Link } from '../../rpc/link.ts'

type NewMessage = {
  sessionId: string
  text: string
  /** What is left of the draft once it is sent. */
  draft: string
  /** The newest message of the chat before it was sent. */
  after: number
}
/** A run that answers; null when it is over already. The chat, where it had to be asked for. */
export type Sent = { runId: string | null; session?: Session }

/** Send a message. When the line breaks before the answer, what the host has stored decides whether it was sent. */
export async function sendMessage(
  link: Link,
  message: NewMessage,
  signal: AbortSignal,
): Promise<Outcome<Sent>> {
  const { sessionId, text, draft } = message
  const hadLine = link.state() === 'connected'
  const sent = await attempt(link.client['chat.send']({ sessionId, text, draft }))
  if (sent.ok || sent.fault.code !== 'disconnected' || !hadLine) return sent
  const session = await findSent(link, message, signal)
  return session ? { ok: true, value: { runId: session.activeRunId, session } } : sent
}

/**
 * The line broke before the host had answered, so only the host knows whether the message arrived. Waits for the line.
 * The chat when it arrived, undefined when it did not or the signal aborts.
 */
async function findSent(
  { client, ...link }: Link,
  { sessionId, text, after }: NewMessage,
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
