import type { ContentBlockParam, ImageBlockParam, TextBlockParam } from '@anthropic-ai/sdk/resources/messages'
import type { SentPicture, WireMessage } from '../../interface/engine.ts'
import { cacheMark, MARKED_MESSAGES, type CacheTtl } from '../shared/remote-engine.ts'

/** A prompt in the form of the Messages API. Content is always a list of blocks. */
type ApiPrompt = {
  system: TextBlockParam[]
  messages: { role: 'user' | 'assistant'; content: ContentBlockParam[] }[]
}

/** The blocks of a reply as the server sent them: thinking blocks must keep their original positions. */
export type KeptReply = readonly ContentBlockParam[]

const EARLIER = 'What was said before this is not shown.'

/**
 * Convert a prompt to the Messages API: tool results become blocks of the next user message, no block is
 * empty, and the user speaks first. `kept` holds the original replies, one entry per message.
 */
export function apiPrompt(
  messages: readonly WireMessage[],
  kept: readonly (KeptReply | undefined)[],
): ApiPrompt {
  const prompt: ApiPrompt = { system: [], messages: [] }
  for (const [at, message] of messages.entries()) {
    if (message.role === 'system') {
      prompt.system.push(...textBlocks(message.text))
      continue
    }
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const content = blocksOf(message, kept[at])
    const last = prompt.messages.at(-1)
    if (content.length === 0) continue
    if (last?.role === role) last.content.push(...content)
    else prompt.messages.push({ role, content })
  }
  if (prompt.messages[0]?.role !== 'user')
    prompt.messages.unshift({ role: 'user', content: textBlocks(EARLIER) })
  return prompt
}

function blocksOf(
  { role, text, calls = [], callId, images = [] }: WireMessage,
  kept?: KeptReply,
): ContentBlockParam[] {
  if (role === 'tool' && callId !== undefined) {
    const said = text.trim() === '' ? undefined : text
    const content = images.length === 0 ? said : [...textBlocks(text), ...imageBlocks(images)]
    return [{ type: 'tool_result', tool_use_id: callId, ...(content !== undefined && { content }) }]
  }
  if (role === 'assistant' && kept) {
    // The chat has since given the calls new ids, and may have shortened their arguments.
    const left = [...calls]
    return kept.map(block => {
      const call = block.type === 'tool_use' ? left.shift() : undefined
      return call ? { ...block, id: call.id, ...(call.ran && { input: call.arguments }) } : { ...block }
    })
  }
  const uses = calls.map(call => ({
    type: 'tool_use' as const,
    id: call.id,
    name: call.name,
    input: call.arguments,
  }))
  return [...imageBlocks(images), ...textBlocks(text), ...uses]
}

const imageBlocks = (images: readonly SentPicture[]): ImageBlockParam[] =>
  images.map(({ mime, base64 }) => ({
    type: 'image',
    source: { type: 'base64', media_type: mime, data: base64 },
  }))

const textBlocks = (text: string): TextBlockParam[] => (text.trim() === '' ? [] : [{ type: 'text', text }])

/**
 * Copy a prompt and set cache marks after the system prompt and after each of the last three messages that
 * can carry one. The second-to-last mark is where the previous request ended, so its cache entry is found
 * again. Tools precede the system prompt and are cached with it.
 */
export function markForCache(prompt: ApiPrompt, ttl: CacheTtl): ApiPrompt {
  const { system, messages } = structuredClone(prompt)
  const end = system.findLast(block => block.text.trim() !== '')
  if (end) end.cache_control = cacheMark(ttl)
  const ends = messages.flatMap(({ content }) => content.findLast(canBeMarked) ?? [])
  for (const block of ends.slice(-MARKED_MESSAGES)) block.cache_control = cacheMark(ttl)
  return { system, messages }
}

type Markable = Extract<ContentBlockParam, { type: 'text' | 'tool_use' | 'tool_result' }>

/** Whether a block may have a cache mark. The API rejects marks on thinking blocks and on empty blocks. */
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
