import type {
  ChatCompletionContentPart,
  ChatCompletionMessageParam,
  ChatCompletionTool,
} from 'openai/resources/chat/completions'
import type { Prompt, SentPicture, ToolSpec, WireMessage } from '../../interface/engine.ts'
import { cacheMark, MARKED_MESSAGES, type CacheTtl } from '../shared/remote-engine.ts'
import { fieldsOf, listOf, textOf, type Fields } from '../../../lib/json-fields.ts'
import { OPTIONAL_FIELDS, type OptionalField } from '../shared/request-failure.ts'

/** Settings that are the same for every request. */
type BodySettings = {
  model: string
  /** Cache marks for Anthropic, which the server passes on. Absent: no marks. */
  cacheTtl?: CacheTtl | undefined
  /** Whether the thoughts of earlier turns are also sent back. */
  pastReasoning?: boolean | undefined
}

/**
 * Build a streaming request without the parameters that the server has `refused`. If it refuses `max_tokens`,
 * the limit is sent under its newer name. `asides` are the extra fields of earlier replies, one entry per
 * message.
 */
export function requestBody(
  { model, cacheTtl, pastReasoning = false }: BodySettings,
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
    // Servers know this parameter by one of two names, and ignore or refuse the other.
    repeat_penalty: sampling.repeatPenalty,
    repetition_penalty: sampling.repeatPenalty,
  }
  const wanted = OPTIONAL_FIELDS.filter(name => optional[name] !== undefined && !refused.has(name))
  // Most servers want thoughts back only while the tools of the newest question are running.
  const before = pastReasoning ? -1 : messages.findLastIndex(message => message.role === 'user')
  const said = messages.flatMap((message, at) => [
    apiMessage(message, asides[at] && without(asides[at], at > before, refused)),
    ...picturesOfResults(messages, at),
  ])
  return {
    model,
    messages: cacheTtl && !refused.has('cache_control') ? markForCache(said, cacheTtl) : said,
    stream: true as const,
    ...(tools.length > 0 && { tools: apiTools(tools) }),
    ...Object.fromEntries(wanted.map(name => [name, optional[name]])),
    ...(maxTokens !== undefined && refused.has('max_tokens') && { max_completion_tokens: maxTokens }),
  }
}

/** Return the extra fields that may be sent back. Fields of calls stay with their calls, however old. */
function without(aside: ExtraFields, current: boolean, refused: ReadonlySet<OptionalField>): ExtraFields {
  const fields = current ? Object.entries(aside.fields) : []
  return {
    fields: Object.fromEntries(fields.filter(([name]) => !refused.has(name as OptionalField))),
    extras: refused.has('extra_content') ? [] : aside.extras,
  }
}

function apiMessage(
  { role, text, calls, callId, images }: WireMessage,
  aside: ExtraFields | undefined,
): ChatCompletionMessageParam {
  switch (role) {
    case 'assistant': {
      if (!calls?.length) return { role, content: text, ...aside?.fields }
      const withExtras = calls.map((call, at) => ({ ...apiCall(call), ...fieldsOf(aside?.extras[at]) }))
      // Some chat templates render an empty string as an empty turn before calls, so send null instead.
      return { role, content: text === '' ? null : text, ...aside?.fields, tool_calls: withExtras }
    }
    case 'tool':
      // Every server rejects a result without a matching call. As a plain message it still informs the model.
      return callId === undefined
        ? { role: 'user', content: images?.length ? partsOf(text, images) : text }
        : { role, tool_call_id: callId, content: text }
    case 'user':
      return { role, content: images?.length ? partsOf(text, images) : text }
    default:
      return { role, content: text }
  }
}

/** Return the parts of a message: a text followed by pictures. No part is empty. */
const partsOf = (text: string, images: readonly SentPicture[]): ChatCompletionContentPart[] => [
  ...(text.trim() === '' ? [] : [{ type: 'text' as const, text }]),
  ...images.map(({ mime, base64 }) => ({
    type: 'image_url' as const,
    image_url: { url: `data:${mime};base64,${base64}` },
  })),
]

/** Collect the pictures of a group of results. Results can only be text, so a user message carries them. */
function picturesOfResults(messages: readonly WireMessage[], at: number): ChatCompletionMessageParam[] {
  const isResult = ({ role, callId }: WireMessage) => role === 'tool' && callId !== undefined
  const next = messages[at + 1]
  if (!isResult(messages[at]!) || (next && isResult(next))) return []
  let from = at
  while (from > 0 && isResult(messages[from - 1]!)) from--
  const images = messages.slice(from, at + 1).flatMap(message => message.images ?? [])
  return images.length === 0 ? [] : [{ role: 'user', content: partsOf(PICTURES_OF_RESULTS, images) }]
}

const PICTURES_OF_RESULTS = '[The pictures of the results above, in their order.]'

/**
 * Set the same cache marks as the Anthropic engine: after the system prompt, and after each of the last three
 * messages that can carry one. For Anthropic the results of one reply become one message, so only the last of
 * them is marked.
 */
function markForCache(
  messages: readonly ChatCompletionMessageParam[],
  ttl: CacheTtl,
): ChatCompletionMessageParam[] {
  const isText = ({ content }: ChatCompletionMessageParam) =>
    typeof content === 'string' && content.trim() !== ''
  const ends = new Map<number, number>()
  let group = 0
  for (const [at, message] of messages.entries()) {
    if ((message.role === 'assistant') !== (messages[at - 1]?.role === 'assistant')) group++
    if (message.role !== 'system' && isText(message)) ends.set(group, at)
  }
  const system = messages.findLastIndex(message => message.role === 'system' && isText(message))
  const marked = new Set([system, ...[...ends.values()].slice(-MARKED_MESSAGES)])
  return messages.map((message, at) => {
    if (!marked.has(at)) return message
    const content = [{ type: 'text', text: message.content, cache_control: cacheMark(ttl) }]
    return { ...message, content } as ChatCompletionMessageParam
  })
}

const apiCall = (call: NonNullable<WireMessage['calls']>[number]) => ({
  id: call.id,
  type: 'function' as const,
  function: { name: call.name, arguments: JSON.stringify(call.arguments) },
})

/** Convert tools to the form that the API expects. */
export const apiTools = (tools: readonly ToolSpec[]): ChatCompletionTool[] =>
  tools.map(({ name, description, parameters }) => ({
    type: 'function',
    function: { name, description, parameters },
  }))

/**
 * Fields of a reply besides text and calls. They are sent back unchanged, under the server's own names.
 * `fields` belong to the message: `reasoning_content` (DeepSeek, Kimi, llama-server), `reasoning` (vLLM,
 * Ollama), `reasoning_details` (OpenRouter). `extras` belong to each call: `extra_content` with the signature
 * of a thought (Gemini).
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
    /** Everything collected, with the extras of each call; undefined if there is nothing. */
    whole(extras: readonly Fields[]): ExtraFields | undefined {
      // The details contain the same text plus its signature.
      const fields = details.length > 0 ? { reasoning_details: details } : texts
      const isNothing = [fields, ...extras].every(each => Object.keys(each).length === 0)
      return isNothing ? undefined : { fields, extras }
    },
  }
}

/** Add a piece of a thought. Its text arrives in pieces that share an index, its other fields only once. */
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
