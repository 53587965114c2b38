import type { AssistantMessage, ToolCall, Usage } from '../../shared/contract/messages.ts'
import { abortable } from '../lib/abortable.ts'
import type { EngineFailure, WireMessage } from '../llm/engine.ts'
import type { Turn, TurnPorts } from './turn.ts'

/** A call as it came: `problem` says why it cannot run, before anything was looked up. */
export type ReadCall = { call: ToolCall; problem?: string }

/** One reply of the model, complete or not. A `cut` one reached the end of the room for answers. */
export type Reply = {
  text: string
  calls: ReadCall[]
  end: 'done' | 'cut' | 'stopped' | 'failed'
  failure?: EngineFailure
}

/** An engine promises to say how it ended, so this is a mistake of one of them. */
const SILENT: EngineFailure = {
  code: 'internal',
  text: 'The model fell silent without a word of why.',
  fix: 'Send the message again.',
}

/**
 * Ask the model once, show what it says while it says it, and store it. A reply that was stopped or broke off keeps
 * what it had written, marked as interrupted and without its calls: they never ran. Without `tools` the model is offered
 * none, and calls that it makes all the same are dropped.
 */
export async function readReply(
  turn: Turn,
  ports: TurnPorts,
  messages: readonly WireMessage[],
  options: { tools: boolean },
  signal: AbortSignal,
): Promise<Reply> {
  const tools = options.tools ? turn.strategy.attach(turn.tools) : []
  const reply: Reply = { text: '', calls: [], end: 'failed', failure: SILENT }
  let reasoning = ''
  let raw: string | undefined
  let usage: Usage | undefined

  const completion = turn.engine.complete({ sessionId: turn.sessionId, messages, tools }, signal)
  for await (const event of abortable(turn.strategy.read(completion, turn.tools), signal)) {
    switch (event.type) {
      case 'progress':
        ports.emit(event)
        break
      case 'text':
        reply.text += event.text
        ports.emit({ type: 'text_delta', text: event.text })
        break
      case 'reasoning':
        reasoning += event.text
        ports.emit({ type: 'reasoning_delta', text: event.text })
        break
      case 'call':
        reply.calls.push({ call: event.call })
        break
      case 'bad_call':
        reply.calls.push({ call: event.call, problem: event.reason })
        break
      case 'done':
        reply.end = event.stop === 'length' ? 'cut' : 'done'
        usage = event.usage
        raw = event.raw
        break
      case 'failed':
        reply.failure = { code: event.code, text: event.text, fix: event.fix }
    }
  }
  if (reply.end === 'failed' && signal.aborted) reply.end = 'stopped'
  if (reply.end !== 'failed') delete reply.failure

  const interrupted = reply.end === 'stopped' || reply.end === 'failed'
  if (interrupted || !options.tools) reply.calls = []
  const empty = reply.text.trim() === '' && reasoning.trim() === '' && reply.calls.length === 0
  if (!(interrupted && empty)) {
    const message: Omit<AssistantMessage, 'id'> = {
      role: 'assistant',
      sessionId: turn.sessionId,
      at: ports.now(),
      text: reply.text.trim(),
      reasoning: reasoning.trim(),
      calls: reply.calls.map(each => each.call),
      interrupted,
      model: turn.engine.name,
      ...(raw !== undefined && options.tools && { raw }),
      ...(usage && { usage }),
    }
    // What was written to the byte is for the engine only; a window has no use for it.
    const { raw: _raw, ...shown } = ports.append(message) as AssistantMessage
    ports.emit({ type: 'message', message: shown })
  }
  if (usage) ports.emit({ type: 'context_usage', usage })
  return reply
}
