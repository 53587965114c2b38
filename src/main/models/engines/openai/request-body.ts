import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions'
import type { Prompt, ToolSpec, WireMessage } from '../engine.ts'
import { fieldsOf } from '../remote/fields.ts'
import { OPTIONAL, type Optional } from '../remote/trouble.ts'
import type { Aside } from './aside.ts'

/**
 * The body of a streaming request without the parameters that the server has `refused`. Where it refuses `max_tokens`,
 * the same limit goes by its newer name. `asides` are what earlier replies came with, one for each message.
 */
export function requestBody(
  model: string,
  prompt: Prompt,
  refused: ReadonlySet<Optional>,
  asides: readonly (Aside | undefined)[] = [],
) {
  const { messages, tools, maxTokens, sampling = {} } = prompt
  const optional: Partial<Record<Optional, unknown>> = {
    stream_options: { include_usage: true },
    max_tokens: maxTokens,
    temperature: sampling.temperature,
    top_p: sampling.topP,
    top_k: sampling.topK,
    min_p: sampling.minP,
    seed: sampling.seed,
  }
  const wanted = OPTIONAL.filter(name => optional[name] !== undefined && !refused.has(name))
  // Thoughts are asked for again only while the tools of the newest question run.
  const newest = messages.findLastIndex(message => message.role === 'user')
  return {
    model,
    messages: messages.map((message, at) =>
      apiMessage(message, asides[at] && without(asides[at], at > newest, refused)),
    ),
    stream: true as const,
    ...(tools.length > 0 && { tools: apiTools(tools) }),
    ...Object.fromEntries(wanted.map(name => [name, optional[name]])),
    ...(maxTokens !== undefined && refused.has('max_tokens') && { max_completion_tokens: maxTokens }),
  }
}

/** What may go back of what a reply came with. Marks at calls belong to the calls, however old they are. */
function without(aside: Aside, current: boolean, refused: ReadonlySet<Optional>): Aside {
  const fields = current ? Object.entries(aside.fields) : []
  return {
    fields: Object.fromEntries(fields.filter(([name]) => !refused.has(name as Optional))),
    extras: refused.has('extra_content') ? [] : aside.extras,
  }
}

function apiMessage(
  { role, text, calls, callId }: WireMessage,
  aside: Aside | undefined,
): ChatCompletionMessageParam {
  switch (role) {
    case 'assistant': {
      if (!calls?.length) return { role, content: text }
      const withExtras = calls.map((call, at) => ({ ...apiCall(call), ...fieldsOf(aside?.extras[at]) }))
      // Templates that join content and calls write an empty string as an empty turn, so there is none then.
      return { role, content: text === '' ? null : text, ...aside?.fields, tool_calls: withExtras }
    }
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
