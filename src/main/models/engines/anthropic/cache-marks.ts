import type { CacheControlEphemeral, ContentBlockParam } from '@anthropic-ai/sdk/resources/messages'
import type { ApiPrompt } from './api-messages.ts'

/** How long the server caches a prompt: five minutes after its last use, or an hour at twice the write price. */
export type CacheTtl = '5m' | '1h'

/** Marks on messages. Together with the system prompt's mark this is the maximum of a request. */
const MESSAGES = 3

/**
 * A copy of a prompt with cache marks after the system prompt and after each of the last three messages that can
 * carry one. The second-to-last mark is where the previous request ended, so its cache entry is found again. Tools
 * precede the system prompt and are cached with it.
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

/** The API rejects marks on thinking blocks and on empty blocks. */
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
