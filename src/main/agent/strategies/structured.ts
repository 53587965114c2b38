import type { Message } from '../../../shared/contract/messages.ts'
import { newId } from '../../lib/ids.ts'
import type { CompletionEvent, ToolSpec, WireMessage } from '../../llm/engine.ts'
import { createToolCallReader } from '../../toolcalls/reader.ts'
import { joinNeighbours } from './join-neighbours.ts'
import { replyOf } from './reply-of.ts'
import type { ReplyEvent, Strategy } from './strategy.ts'
import { userText } from './user-text.ts'

/** Tools as data: for servers whose API has a `tools` parameter and answers with `tool_calls`. */
export const structuredStrategy: Strategy = {
  name: 'structured',
  present: () => '',
  attach: tools => tools,
  constrain: () => [],
  render,
  read,
}

function render(system: string, history: readonly Message[]): WireMessage[] {
  return [{ role: 'system', text: system }, ...joinNeighbours(history.map(wireOf))]
}

function wireOf(message: Message): WireMessage {
  switch (message.role) {
    case 'user':
      return { role: 'user', text: userText(message) }
    case 'assistant': {
      const calls = message.calls.map(call => ({ ...call, id: wireId(call.id) }))
      return { role: 'assistant', text: message.text, ...(calls.length > 0 && { calls }) }
    }
    case 'tool':
      return { role: 'tool', text: message.text, callId: wireId(message.callId) }
  }
}

/** Nine letters and digits, the only form of an id that every server accepts: the random end of our own. */
const wireId = (id: string) =>
  id
    .replace(/[^a-zA-Z0-9]/g, '')
    .slice(-9)
    .padStart(9, '0')

/**
 * Calls come as data; the text is read for markup all the same, because a server whose template does not fit its model
 * passes thoughts and calls on as text.
 */
async function* read(
  events: AsyncIterable<CompletionEvent>,
  tools: readonly ToolSpec[],
): AsyncIterable<ReplyEvent> {
  const reader = createToolCallReader({ tools })
  for await (const event of events) {
    if (event.type === 'text') yield* reader.push(event.text).map(replyOf)
    else if (event.type === 'call') yield readCall(event)
    else {
      if (event.type === 'done') yield* reader.end({ truncated: event.stop === 'length' }).map(replyOf)
      if (event.type === 'failed') yield* reader.end({ truncated: true }).map(replyOf)
      yield event
    }
  }
}

/**
 * A call with an id of ours, because many servers count from `call_0` in every reply. A model may write arguments that
 * are no JSON object; the call then goes back to it with the reason.
 */
function readCall({ name, argumentsText }: Extract<CompletionEvent, { type: 'call' }>): ReplyEvent {
  const call = { id: newId('call'), name, arguments: {} }
  try {
    const given = parseArguments(argumentsText)
    if (typeof given === 'object' && !Array.isArray(given))
      return { type: 'call', call: { ...call, arguments: given as Record<string, unknown> } }
    return { type: 'bad_call', call, reason: 'The arguments must be one JSON object.' }
  } catch (error) {
    const { message } = error as SyntaxError
    return { type: 'bad_call', call, reason: `The arguments are not valid JSON: ${message}` }
  }
}

/** Nothing and `null` mean no arguments, and some servers send the JSON as a string of JSON. */
function parseArguments(text: string): unknown {
  const parsed: unknown = text.trim() === '' ? {} : JSON.parse(text)
  return (typeof parsed === 'string' ? JSON.parse(parsed) : parsed) ?? {}
}
