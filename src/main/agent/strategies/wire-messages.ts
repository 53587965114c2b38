import type { WireMessage } from '../../models/engine.ts'
import type { UserMessage } from '../../../shared/contract/messages.ts'

/** Fills the gap when a turn was stopped between a result and the next question. */
const STOPPED: WireMessage = { role: 'assistant', text: 'I was stopped here.' }

/**
 * Make roles alternate, as many chat templates require. Empty replies are dropped, consecutive user messages
 * are joined, and a reply is inserted between a result and a question. All of these occur when a turn was
 * stopped or failed before its answer.
 */
export function alternateRoles(messages: readonly WireMessage[]): WireMessage[] {
  const joined: WireMessage[] = []
  for (const message of messages) {
    if (message.role === 'assistant' && message.text === '' && !message.calls?.length) continue
    const last = joined.at(-1)
    if (last?.role === 'tool' && message.role === 'user') joined.push(STOPPED)
    if (last?.role === 'user' && message.role === 'user')
      joined[joined.length - 1] = { ...last, text: `${last.text}\n\n${message.text}` }
    else joined.push(message)
  }
  return joined
}

/** A user's message as the model reads it, preceded by the attached skill. */
export const userText = ({ text, skill }: Pick<UserMessage, 'text' | 'skill'>): string =>
  skill === undefined ? text : `[Skill: ${skill.name}]\n${skill.text.trim()}\n[End of the skill]\n\n${text}`
