import type { WireMessage } from '../../llm/engine.ts'

/** Stands where a turn was stopped between a result and the next question. */
const STOPPED: WireMessage = { role: 'assistant', text: 'I was stopped here.' }

/**
 * Make roles take turns, which many chat templates insist on: a reply without words is left out, what a person or a
 * tool says twice in a row becomes one message, and between a result and a question stands a reply. All of that happens
 * when a turn was stopped or failed before its answer.
 */
export function joinNeighbours(messages: readonly WireMessage[]): WireMessage[] {
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
