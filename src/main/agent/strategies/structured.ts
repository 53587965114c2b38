import type { Message } from '../../../shared/contract/chats/messages.ts'
import { newId } from '../../lib/ids.ts'
import type { CompletionEvent, ToolSpec, WireMessage } from '../../models/interface/engine.ts'
import { Unreadable } from '../../models/formats/reader/reader-input.ts'
import { mendArguments } from '../../models/formats/reader/mend-arguments.ts'
import { createToolCallReader } from '../../models/formats/reader/call-reader.ts'
import {
  alternateRoles,
  picturesOf,
  userText,
  toReplyEvent,
  withInterjections,
  type ReplyEvent,
  type Strategy,
} from './strategy.ts'

/** Tools as data, for servers whose API has a `tools` parameter and answers with `tool_calls`. */
export const structuredStrategy: Strategy = {
  name: 'structured',
  present: () => '',
  attach: tools => tools,
  constrain: () => [],
  presentBehind: messages => [...messages],
  render,
  read,
}

function render(system: string, history: readonly Message[]): WireMessage[] {
  const messages = withInterjections(history)
  const newest = messages.findLast(({ role }) => role === 'user')
  const wire = messages.map(message => wireOf(message, message === newest))
  return [{ role: 'system', text: system }, ...alternateRoles(wire)]
}

function wireOf(message: Message, isNewest: boolean): WireMessage {
  switch (message.role) {
    case 'user':
      return { role: 'user', text: userText(message), ...picturesOf(message, isNewest) }
    case 'assistant': {
      const calls = message.calls.map(call => ({ ...call, id: wireId(call.id) }))
      return { role: 'assistant', text: message.text, ...(calls.length > 0 && { calls }) }
    }
    case 'tool':
      return { role: 'tool', text: message.text, callId: wireId(message.callId), ...picturesOf(message) }
  }
}

/** Nine letters and digits, the only id format that every server accepts: the random end of our own id. */
const wireId = (id: string) =>
  id
    .replace(/[^a-zA-Z0-9]/g, '')
    .slice(-9)
    .padStart(9, '0')

/**
 * Calls arrive as data, but the text is still searched for markup: a server whose template does not fit its
 * model passes reasoning and calls through as text.
 */
async function* read(
  events: AsyncIterable<CompletionEvent>,
  tools: readonly ToolSpec[],
): AsyncIterable<ReplyEvent> {
  const reader = createToolCallReader({ tools })
  for await (const event of events) {
    if (event.type === 'text') yield* reader.push(event.text).map(toReplyEvent)
    else if (event.type === 'call') yield readCall(event)
    else if (event.type !== 'prompt_end' && event.type !== 'read') {
      if (event.type === 'done') yield* reader.end({ truncated: event.stop === 'length' }).map(toReplyEvent)
      if (event.type === 'failed') yield* reader.end({ truncated: true }).map(toReplyEvent)
      yield event
    }
  }
}

/**
 * A call with our own id, because many servers restart at `call_0` in every reply. If the arguments are not a
 * JSON object, the call goes back to the model with the reason.
 */
function readCall({ name, argumentsText }: Extract<CompletionEvent, { type: 'call' }>): ReplyEvent {
  const call = { id: newId('call'), name, arguments: {} }
  const given = mendArguments(argumentsText)
  if (given instanceof Unreadable)
    return { type: 'bad_call', call, reason: `The arguments are not valid JSON: ${given.reason}.` }
  if (typeof given === 'object' && given !== null && !Array.isArray(given))
    return { type: 'call', call: { ...call, arguments: { ...given } } }
  return { type: 'bad_call', call, reason: 'The arguments must be one JSON object.' }
}
