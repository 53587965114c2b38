import type { ContentBlockParam, TextBlockParam } from '@anthropic-ai/sdk/resources/messages'
import type { WireMessage } from '../engine.ts'

/** A prompt in the form of the Messages API, with content always as a list of blocks. */
export type ApiPrompt = {
  system: TextBlockParam[]
  messages: { role: 'user' | 'assistant'; content: ContentBlockParam[] }[]
}

/** A reply as the server sent it, block by block, because thoughts must come back where they were. */
export type KeptReply = readonly ContentBlockParam[]

const EARLIER = 'What was said before this is not shown.'

/**
 * Write a prompt in the form of the Messages API: results of tools are blocks of the person’s next message, nothing is
 * empty, and a person speaks first. `kept` are replies as they came, one place for each message.
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

function blocksOf({ role, text, calls = [], callId }: WireMessage, kept?: KeptReply): ContentBlockParam[] {
  if (role === 'tool' && callId !== undefined) {
    return [{ type: 'tool_result', tool_use_id: callId, ...(text.trim() !== '' && { content: text }) }]
  }
  if (role === 'assistant' && kept) {
    // Calls have got ids of ours since.
    const ids = calls.map(call => call.id)
    return kept.map(block =>
      block.type === 'tool_use' ? { ...block, id: ids.shift() ?? block.id } : { ...block },
    )
  }
  const uses = calls.map(call => ({
    type: 'tool_use' as const,
    id: call.id,
    name: call.name,
    input: call.arguments,
  }))
  return [...textBlocks(text), ...uses]
}

const textBlocks = (text: string): TextBlockParam[] => (text.trim() === '' ? [] : [{ type: 'text', text }])
