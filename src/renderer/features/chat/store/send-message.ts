import type { Message } from '../../../../shared/contract/chats/messages.ts'
import type { Session } from '../../../../shared/contract/chats/session.ts'
import { attemptCall, type Outcome } from '../../../rpc/attempt.ts'
import { whenConnected, type Link } from '../../../rpc/link.ts'

type NewMessage = {
  sessionId: string
  text: string
  /** The draft that remains after sending. */
  draft: string
  /** The hashes of the attachments of the message. */
  attachments: readonly string[]
  /** The id of the newest message before sending. */
  after: number
}
/** The run that answers, or null if it has already ended; and the chat, if it was loaded to find out. */
export type Sent = { runId: string | null; session?: Session }

/** Send a message. If the connection drops, the host's stored messages show whether it arrived. */
export async function sendMessage(
  link: Link,
  message: NewMessage,
  signal: AbortSignal,
): Promise<Outcome<Sent>> {
  const { sessionId, text, draft, attachments } = message
  const hadLine = link.state() === 'connected'
  const sent = await attemptCall(
    link.client['chat.send']({
      sessionId,
      text,
      draft,
      ...(attachments.length > 0 && { attachments: [...attachments] }),
    }),
  )
  if (sent.ok || sent.fault.code !== 'disconnected' || !hadLine) return sent
  const session = await findSent(link, message, signal)
  return session ? { ok: true, value: { runId: session.activeRunId, session } } : sent
}

/**
 * Offer a message to the model of a run, before its next step; `onHeld` is called once the run has it.
 * Resolves to whether the model got it; if not, the message must still be sent.
 */
export async function steerRun(
  link: Link,
  { runId, ...message }: Omit<NewMessage, 'draft' | 'attachments'> & { runId: string },
  onHeld: () => void,
  signal: AbortSignal,
): Promise<boolean> {
  const offer = async () => {
    for await (const { taken } of link.client['run.steer']({ runId, text: message.text }, { signal })) {
      if (taken) return true
      onHeld()
    }
    return false
  }
  const asked = await attemptCall(offer())
  if (asked.ok) return asked.value
  if (asked.fault.code !== 'disconnected') return false
  return (await findSent(link, message, signal)) !== undefined
}

/**
 * The connection dropped before the host responded, so only the host knows whether the message arrived. Waits
 * for the connection. Returns the chat if the message arrived; undefined if it did not, or if the signal
 * aborts.
 */
async function findSent(
  { client, ...link }: Link,
  { sessionId, text, after }: Omit<NewMessage, 'draft' | 'attachments'>,
  signal: AbortSignal,
): Promise<Session | undefined> {
  while (await whenConnected({ client, ...link }, signal)) {
    const found = await attemptCall(
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
    // The connection may take a moment to notice that it is down.
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  return undefined
}

/** Whether a stored message is the one sent. A message with a skill starts with the skill's name. */
function says(message: Message, text: string): boolean {
  if (message.role !== 'user') return false
  return (
    message.text === text.trim() || (message.skill !== undefined && text.startsWith(`/${message.skill.name}`))
  )
}
