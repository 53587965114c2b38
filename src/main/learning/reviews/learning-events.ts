import type { LearningEvent } from '../../../shared/contract/learned/learning.ts'
import type { AssistantMessage, Message } from '../../../shared/contract/chats/messages.ts'

/**
 * Convert a stored message to events. A skill that the user attached counts as loaded, like one that the
 * model requested.
 */
export function eventsOf(message: Message): LearningEvent[] {
  const { sessionId: session, at, text } = message
  switch (message.role) {
    case 'user': {
      const { skill, steered } = message
      const during = steered && { steered }
      const said: LearningEvent = { type: 'user_message', session, at, text, id: message.id, ...during }
      if (!skill) return [said]
      const given = { name: skill.name }
      return [
        said,
        {
          type: 'tool_result',
          session,
          at,
          name: 'skill_view',
          arguments: given,
          ok: true,
          text: skill.text,
        },
      ]
    }
    case 'assistant':
      return [{ type: 'reply', session, at, text, calls: message.calls.length }]
    case 'tool':
      return [{ type: 'tool_result', session, at, name: message.name, arguments: {}, ok: message.ok, text }]
  }
}

/**
 * Convert the events of another agent to messages, so that they can be reviewed like our own chats. Ids count
 * from 1.
 */
export function messagesOf(events: readonly LearningEvent[]): Message[] {
  const messages: Message[] = []
  /** Index of the reply that results belong to; undefined after a user message. */
  let open: number | undefined

  const push = (make: (id: number) => Message): void => void messages.push(make(messages.length + 1))
  function reply({ session: sessionId, at }: LearningEvent, text: string): number {
    push(id => ({ id, sessionId, at, role: 'assistant', text, ...BY_ANOTHER }))
    return messages.length - 1
  }

  for (const event of events) {
    const { session: sessionId, at } = event
    if (event.type === 'user_message') {
      const { text } = event
      push(id => ({ id, sessionId, at, role: 'user', text }))
      open = undefined
    }
    if (event.type === 'reply') open = reply(event, event.text)
    if (event.type === 'tool_result') {
      // Insert a reply before an orphaned result, because models require one.
      open ??= reply(event, '')
      const { name, arguments: given, ok } = event
      const callId = `call_${messages.length + 1}`
      const caller = messages[open] as AssistantMessage
      messages[open] = { ...caller, calls: [...caller.calls, { id: callId, name, arguments: given }] }
      const text = ok || event.text.startsWith('Error') ? event.text : `Error: ${event.text}`
      push(id => ({
        id,
        sessionId,
        at,
        role: 'tool',
        callId,
        name,
        ok,
        text,
        durationMs: 0,
        record: { decision: 'ran', by: 'other_agent' },
      }))
    }
  }
  return messages
}

const BY_ANOTHER = { reasoning: '', calls: [], interrupted: false, model: 'another agent' }
