import type { CacheControlEphemeral, ContentBlockParam } from '@anthropic-ai/sdk/resources/messages'
import type { ApiPrompt } from './api-messages.ts'

/** How long a prompt that was read is kept: five minutes after its last use, or an hour for twice the price of reading. */
export type CacheTtl = '5m' | '1h'

/** Beside the system prompt; with it these are as many as a request may have. */
const MESSAGES = 3

/**
 * A copy of a prompt with marks up to where the server is to keep what it has read: behind the system prompt and behind
 * each of the last three messages that can carry one. The mark before last is where the request before this one ended,
 * so that everything up to there is found again. Tools stand before the system prompt and are kept with it.
 */
export function markForCache(prompt: ApiPrompt, ttl: CacheTtl): ApiPrompt {
  const { system, messages } = structuredClone(prompt)
  const mark: CacheControlEphemeral = { type: 'ephemeral', ...(ttl === '1h' && { ttl }) }
  const end = system.findLast(block => block.text.trim() !== '')
  if (end) end.cache_control = { ...mark }
  const ends = messages.flatMap(({ content }) => content.findLast(canBeMarked) ?? [])
  for (const block of ends.slice(-MESSAGES)) block.cache_control = { ...mark }
  return { system, messages }
}

type Markable = Extract<ContentBlockParam, { type: 'text' | 'tool_use' | 'tool_result' }>

/** The API refuses marks on thoughts and on what is empty. */
function canBeMarked(block: ContentBlockParam): block is Markable {
  switch (block.type) {
    case 'text':
      return block.text.trim() !== ''
    case 'tool_result':
      return typeof block.content === 'string' && block.content.trim() !== ''
    default:
      return block.type === 'tool_use'
  }
}
