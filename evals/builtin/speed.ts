import type { Usage } from '../../src/shared/contract/chats/messages.ts'
import type { Asker } from './ask.ts'
import { turnsOf, wireOf } from './conversation.ts'
import type { Conversation } from './conversation.ts'

/** Medians on one core: reading the prompt of a first question from the start, and writing the reply. */
export type Speed = {
  prompt_tokens: number
  prompt_ms: number
  decode_per_s: number
  rss_mb: number | undefined
}

/** How fast a model is. Each conversation is asked for its first reply, with nothing to reuse. */
export async function measureSpeed(asker: Asker, conversations: readonly Conversation[]): Promise<Speed> {
  const usages: Usage[] = []
  for (const [at, conversation] of conversations.entries()) {
    const [turn] = turnsOf(conversation)
    if (!turn) continue
    // A system prompt that differs in its first letter shares nothing with the one before.
    const messages = wireOf(turn.before).map((message, place) =>
      place === 0 ? { role: message.role, text: `${at} ${message.text}` } : message,
    )
    const { usage } = await asker.ask({ sessionId: `speed ${at}`, messages })
    if (at > 0) usages.push(usage)
  }
  const middle = (pick: (usage: Usage) => number): number => {
    const sorted = usages.map(pick).toSorted((a, b) => a - b)
    return Math.round((sorted[Math.floor(sorted.length / 2)] ?? 0) * 10) / 10
  }
  const memory = asker.memory()
  return {
    prompt_tokens: middle(usage => usage.promptTokens),
    prompt_ms: middle(usage => usage.firstTokenMs),
    decode_per_s: middle(usage => usage.tokensPerSecond),
    rss_mb: memory === undefined ? undefined : Math.round(memory / 1_048_576),
  }
}
