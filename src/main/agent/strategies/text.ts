import type { AssistantMessage, Message } from '../../../shared/contract/messages.ts'
import type { CompletionEvent, ToolSpec, WireMessage } from '../../llm/engine.ts'
import { createToolCallReader } from '../../toolcalls/reader.ts'
import { joinNeighbours } from './join-neighbours.ts'
import { replyOf } from './reply-of.ts'
import type { ReplyEvent, Strategy } from './strategy.ts'

/** Tools as text: for local models, and for servers that refuse the `tools` parameter. */
export const textStrategy: Strategy = { name: 'text', present, attach: () => [], render, read }

/**
 * Hermes JSON, the most widely trained notation. One line a tool: a small model reads a signature more reliably than a
 * JSON Schema, and it costs a fifth of the tokens.
 */
function present(tools: readonly ToolSpec[]): string {
  if (tools.length === 0) return ''
  return [
    '## Tools',
    'To use a tool, write exactly this and then stop:',
    '<tool_call>',
    '{"name": "tool_name", "arguments": {"key": "value"}}',
    '</tool_call>',
    'The result comes back as a message that starts with [Tool Result: tool_name].',
    '',
    ...tools.map(tool => `- ${signatureOf(tool)}: ${tool.description}`),
  ].join('\n')
}

/** Such as `read_file(path: string, offset?: integer)`. */
function signatureOf(tool: ToolSpec): string {
  const { properties = {}, required = [] } = tool.parameters as {
    properties?: Record<string, { type?: string; enum?: unknown[] }>
    required?: string[]
  }
  const parameters = Object.entries(properties).map(([name, schema]) => {
    const type = schema.enum
      ? schema.enum.map(each => JSON.stringify(each)).join('|')
      : (schema.type ?? 'any')
    return `${name}${required.includes(name) ? '' : '?'}: ${type}`
  })
  return `${tool.name}(${parameters.join(', ')})`
}

function render(system: string, history: readonly Message[]): WireMessage[] {
  const newest = history.findLastIndex(message => message.role === 'user')
  const wire = history.map((message, index): WireMessage => {
    switch (message.role) {
      case 'user':
        return { role: 'user', text: message.text }
      case 'assistant':
        return assistantOf(message, index > newest)
      case 'tool':
        return { role: 'user', text: `[Tool Result: ${message.name}] ${message.text}` }
    }
  })
  return [{ role: 'system', text: system }, ...joinNeighbours(wire)]
}

/** What the model wrote to the byte, where that is known and still sent: its tokens are in the engine's cache. */
function assistantOf(message: AssistantMessage, current: boolean): WireMessage {
  if (message.raw !== undefined && sendsRaw(message, current))
    return { role: 'assistant', text: message.raw, generated: true }
  const calls = message.calls.map(
    call => `<tool_call>\n${JSON.stringify({ name: call.name, arguments: call.arguments })}\n</tool_call>`,
  )
  return { role: 'assistant', text: [message.text, ...calls].filter(part => part !== '').join('\n') }
}

/**
 * Whether a reply goes back as it was written. Thoughts stay only within their own turn, as models are trained: they
 * are long, and a small window would soon hold nothing else.
 */
export const sendsRaw = (message: AssistantMessage, current: boolean): boolean =>
  message.raw !== undefined && (current || message.reasoning === '')

async function* read(
  events: AsyncIterable<CompletionEvent>,
  tools: readonly ToolSpec[],
): AsyncIterable<ReplyEvent> {
  const reader = createToolCallReader({ tools })
  let raw = ''
  for await (const event of events) {
    switch (event.type) {
      case 'text':
        raw += event.text
        yield* reader.push(event.text).map(replyOf)
        break
      case 'done':
        yield* reader.end({ truncated: event.stop === 'length' }).map(replyOf)
        yield { ...event, raw }
        return
      case 'failed':
        yield* reader.end({ truncated: true }).map(replyOf)
        yield event
        return
      case 'call':
        break // An engine that was given no tools as data makes no calls as data.
      case 'progress':
      case 'reasoning':
        yield event
    }
  }
}
