import type { Message } from '../../../shared/contract/messages.ts'
import type { CompletionEvent, ToolSpec, WireMessage } from '../../llm/engine.ts'
import { createToolCallReader } from '../../toolcalls/reader.ts'
import { replyOf } from './reply-of.ts'
import type { ReplyEvent, Strategy } from './strategy.ts'

/** Tools as data: for servers whose API has a `tools` parameter and answers with `tool_calls`. */
export const structuredStrategy: Strategy = {
  name: 'structured',
  present: () => '',
  attach: tools => tools,
  render,
  read,
}

function render(system: string, history: readonly Message[]): WireMessage[] {
  return [{ role: 'system', text: system }, ...history.map(wireOf)]
}

function wireOf(message: Message): WireMessage {
  switch (message.role) {
    case 'user':
      return { role: 'user', text: message.text }
    case 'assistant':
      return { role: 'assistant', text: message.text, ...(message.calls.length > 0 && { calls: message.calls }) }
    case 'tool':
      return { role: 'tool', text: message.text, callId: message.callId }
  }
}

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

/** A model may write arguments that are no JSON object; the call then goes back to it with the reason. */
function readCall({ id, name, argumentsText }: Extract<CompletionEvent, { type: 'call' }>): ReplyEvent {
  const call = { id, name, arguments: {} }
  if (argumentsText.trim() === '') return { type: 'call', call }
  try {
    const parsed: unknown = JSON.parse(argumentsText)
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
      return { type: 'call', call: { ...call, arguments: parsed as Record<string, unknown> } }
    return { type: 'bad_call', call, reason: 'The arguments must be one JSON object.' }
  } catch (error) {
    return { type: 'bad_call', call, reason: `The arguments are not valid JSON: ${(error as Error).message}` }
  }
}
