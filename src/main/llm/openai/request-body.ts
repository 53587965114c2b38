import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions'
import type { Prompt, ToolSpec, WireMessage } from '../engine.ts'
import { OPTIONAL, type Optional } from './trouble.ts'

/**
 * The body of a streaming request without the parameters that the server has `refused`. Where it refuses `max_tokens`,
 * the same limit goes by its newer name.
 */
export function requestBody(model: string, prompt: Prompt, refused: ReadonlySet<Optional>) {
  const { messages, tools, maxTokens, sampling = {} } = prompt
  const optional: Record<Optional, unknown> = {
    stream_options: { include_usage: true },
    max_tokens: maxTokens,
    temperature: sampling.temperature,
    top_p: sampling.topP,
    top_k: sampling.topK,
    min_p: sampling.minP,
    seed: sampling.seed,
  }
  const wanted = OPTIONAL.filter(name => optional[name] !== undefined && !refused.has(name))
  return {
    model,
    messages: apiMessages(messages),
    stream: true as const,
    ...(tools.length > 0 && { tools: apiTools(tools) }),
    ...Object.fromEntries(wanted.map(name => [name, optional[name]])),
    ...(maxTokens !== undefined && refused.has('max_tokens') && { max_completion_tokens: maxTokens }),
  }
}

const apiMessages = (messages: readonly WireMessage[]): ChatCompletionMessageParam[] =>
  messages.map(apiMessage)

function apiMessage({ role, text, calls, callId }: WireMessage): ChatCompletionMessageParam {
  switch (role) {
    case 'assistant':
      if (!calls?.length) return { role, content: text }
      // Templates that join content and calls write an empty string as an empty turn, so there is none then.
      return { role, content: text === '' ? null : text, tool_calls: calls.map(apiCall) }
    case 'tool':
      // A result that answers no call is refused everywhere; as a plain message it still informs the model.
      return callId === undefined
        ? { role: 'user', content: text }
        : { role, tool_call_id: callId, content: text }
    default:
      return { role, content: text }
  }
}

const apiCall = (call: NonNullable<WireMessage['calls']>[number]) => ({
  id: call.id,
  type: 'function' as const,
  function: { name: call.name, arguments: JSON.stringify(call.arguments) },
})

const apiTools = (tools: readonly ToolSpec[]): ChatCompletionTool[] =>
  tools.map(({ name, description, parameters }) => ({
    type: 'function',
    function: { name, description, parameters },
  }))
