import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources/chat/completions'
import type { Prompt, ToolSpec, WireMessage } from '../../engine.ts'
import { fieldsOf, listOf, textOf, type Fields } from '../shared/json-fields.ts'
import { OPTIONAL_FIELDS, type OptionalField } from '../shared/request-failure.ts'

/**
 * The body of a streaming request, without the parameters that the server has `refused`. If it refuses `max_tokens`,
 * the limit is sent under its newer name. `asides` are the extra fields of earlier replies, one entry per message.
 */
export function requestBody(
  model: string,
  prompt: Prompt,
  refused: ReadonlySet<OptionalField>,
  asides: readonly (ExtraFields | undefined)[] = [],
) {
  const { messages, tools, maxTokens, sampling = {} } = prompt
  const optional: Partial<Record<OptionalField, unknown>> = {
    stream_options: { include_usage: true },
    max_tokens: maxTokens,
    temperature: sampling.temperature,
    top_p: sampling.topP,
    top_k: sampling.topK,
    min_p: sampling.minP,
    seed: sampling.seed,
  }
  const wanted = OPTIONAL_FIELDS.filter(name => optional[name] !== undefined && !refused.has(name))
  // Thoughts are sent back only while the tools of the newest question are running.
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

/** The extra fields that may be sent back. Fields of calls stay with their calls, however old they are. */
function without(aside: ExtraFields, current: boolean, refused: ReadonlySet<OptionalField>): ExtraFields {
  const fields = current ? Object.entries(aside.fields) : []
  return {
    fields: Object.fromEntries(fields.filter(([name]) => !refused.has(name as OptionalField))),
    extras: refused.has('extra_content') ? [] : aside.extras,
  }
}

function apiMessage(
  { role, text, calls, callId }: WireMessage,
  aside: ExtraFields | undefined,
): ChatCompletionMessageParam {
  switch (role) {
    case 'assistant': {
      if (!calls?.length) return { role, content: text }
      const withExtras = calls.map((call, at) => ({ ...apiCall(call), ...fieldsOf(aside?.extras[at]) }))
      // Chat templates that join content and calls render an empty string as an empty turn, so send null instead.
      return { role, content: text === '' ? null : text, ...aside?.fields, tool_calls: withExtras }
    }
    case 'tool':
      // Every server rejects a result without a matching call. As a plain message it still informs the model.
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

/**
 * Fields beyond text and calls that a reply came with and that are sent back unchanged, under the server's own names.
 * `fields` belong to the message: `reasoning_content` (DeepSeek, Kimi, llama-server), `reasoning` (vLLM, Ollama),
 * `reasoning_details` (OpenRouter). `extras` belong to each call: `extra_content` with the signature of a thought
 * (Gemini).
 */
export type ExtraFields = { fields: Fields; extras: readonly Fields[] }

/** Collect the extra fields from the deltas of one reply. */
export function collectExtraFields() {
  const texts: Record<string, string> = {}
  const details: Fields[] = []

  return {
    take(delta: Fields): void {
      for (const name of ['reasoning_content', 'reasoning']) {
        const text = textOf(delta[name])
        if (text !== '') texts[name] = (texts[name] ?? '') + text
      }
      for (const piece of listOf(delta['reasoning_details'])) addDetail(details, piece)
    },
    /** Everything collected, with the extras of each call; undefined when there is nothing. */
    whole(extras: readonly Fields[]): ExtraFields | undefined {
      // The details contain the same text plus its signature.
      const fields = details.length > 0 ? { reasoning_details: details } : texts
      const isNothing = [fields, ...extras].every(each => Object.keys(each).length === 0)
      return isNothing ? undefined : { fields, extras }
    },
  }
}

/** The text of one thought arrives in pieces that share an index. Its other fields arrive once. */
function addDetail(details: Fields[], piece: Fields): void {
  const { index, type } = piece
  const known = details.find(each => index !== undefined && each['index'] === index && each['type'] === type)
  if (!known) {
    details.push({ ...piece })
    return
  }
  for (const [name, value] of Object.entries(piece)) {
    const joins = ['text', 'summary', 'data'].includes(name) && typeof value === 'string'
    if (joins) known[name] = textOf(known[name]) + value
    else if (value !== null && value !== undefined) known[name] = value
  }
}
