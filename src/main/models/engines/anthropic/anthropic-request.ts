import type {
  MessageCreateParamsStreaming,
  ThinkingConfigParam,
  Tool,
} from '@anthropic-ai/sdk/resources/messages'
import type { Prompt, WireMessage } from '../../interface/engine.ts'
import { type CacheTtl } from '../shared/remote-engine.ts'
import type { OptionalField } from '../shared/request-failure.ts'
import { apiPrompt, markForCache, type KeptReply } from './api-prompt.ts'

/** Output limit to use if a server rejects a higher one. Even the oldest models accept it. */
const LEAST_LIMIT = 4_096

/** Settings that are the same for every request. */
type BodySettings = {
  model: string
  ttl: CacheTtl
  /** The longest answer the model can give, in tokens. */
  limit: number
  /** Thinking budget in tokens; 0 does not request thinking. */
  thinkingTokens: number
  /** Whether the model takes no budget and decides for itself. */
  thinksFreely: boolean
}

/** Build the body of a streaming request, without the parameters that the server has `refused`. */
export function requestBody(
  settings: BodySettings,
  prompt: Prompt,
  refused: ReadonlySet<OptionalField>,
  kept: readonly (KeptReply | undefined)[],
): MessageCreateParamsStreaming {
  const { messages, tools, maxTokens, sampling = {} } = prompt
  const limit = refused.has('max_tokens') ? LEAST_LIMIT : settings.limit
  const asked = settings.thinkingTokens > 0 && !refused.has('thinking')
  const lost = asked && lacksThoughts(messages, kept)
  // A question with a token limit is a small one, so skip thinking.
  const thinks = asked && !lost && maxTokens === undefined && settings.thinkingTokens < limit
  const bare = apiPrompt(messages, lost ? [] : kept)
  const { system, messages: said } = refused.has('cache_control') ? bare : markForCache(bare, settings.ttl)
  const { temperature, topP, topK } = sampling
  return {
    model: settings.model,
    max_tokens: Math.min(maxTokens ?? limit, limit),
    ...(thinks && { thinking: thinkingOf(settings) }),
    // While thinking, the API accepts only the default temperature.
    ...(temperature !== undefined && !thinks && !refused.has('temperature') && { temperature }),
    ...(topP !== undefined && !thinks && !refused.has('top_p') && { top_p: topP }),
    ...(topK !== undefined && !thinks && !refused.has('top_k') && { top_k: topK }),
    ...(tools.length > 0 && { tools: apiTools(tools) }),
    ...(system.length > 0 && { system }),
    messages: said,
    stream: true,
  }
}

const thinkingOf = ({ thinkingTokens, thinksFreely }: BodySettings): ThinkingConfigParam =>
  thinksFreely
    ? { type: 'adaptive', display: 'summarized' }
    : { type: 'enabled', budget_tokens: thinkingTokens }

/** Convert tools to the form that the API expects. */
export const apiTools = (tools: Prompt['tools']): Tool[] => tools.map(apiTool)

const apiTool = ({ name, description, parameters }: Prompt['tools'][number]): Tool => ({
  name,
  description,
  input_schema: { ...parameters, type: 'object' },
})

/** Whether thinking blocks of the running turn's calls are lost. The API then allows no thinking. */
const lacksThoughts = (
  messages: readonly WireMessage[],
  kept: readonly (KeptReply | undefined)[],
): boolean => {
  const newest = messages.findLastIndex(message => message.role === 'user')
  return messages.some((message, at) => at > newest && (message.calls?.length ?? 0) > 0 && !kept[at])
}
