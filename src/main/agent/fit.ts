import type { Message } from '../../shared/contract/messages.ts'
import type { Turn } from './turn.ts'

/** What a session's window has left out so far: messages older than `firstId` are not sent. Kept by the caller between turns. */
export type Window = { firstId: number }

/** Share of the context window that the prompt may fill; the rest is for the answer. */
const FULL = 0.75
/** Share that is left after dropping, so that the next turns fit without moving the beginning (and the cached prefix) again. */
const AFTER_DROP = 0.45

/**
 * The newest part of a history that fits the context window, cut only before a user message, so that no tool result
 * loses its call. What the window has dropped stays dropped, which keeps the prefix stable from turn to turn.
 * `attempt` > 1 means that the engine found the estimate too low: less is kept.
 */
export function fit(
  turn: Pick<Turn, 'engine' | 'system' | 'contextTokens'>,
  history: readonly Message[],
  window: Window,
  attempt: number,
): { messages: readonly Message[]; dropped: boolean; canShrink: boolean } {
  const kept = history.filter(message => message.id >= window.firstId)
  const costs = kept.map(message => costOf(turn, message))
  const system = turn.engine.count(turn.system)
  const total = costs.reduce((sum, cost) => sum + cost, system)
  const starts = kept.flatMap((message, index) => (message.role === 'user' && index > 0 ? [index] : []))
  if (attempt === 1 && total <= turn.contextTokens * FULL)
    return { messages: kept, dropped: false, canShrink: starts.length > 0 }

  const target = (turn.contextTokens * AFTER_DROP) / attempt
  let left = total
  let from = 0
  for (const start of starts) {
    if (left <= target) break
    left -= costs.slice(from, start).reduce((sum, cost) => sum + cost, 0)
    from = start
  }
  if (from > 0) window.firstId = kept[from]!.id
  return { messages: kept.slice(from), dropped: from > 0, canShrink: starts.some(start => start > from) }
}

/** Tokens of one message in the prompt, with what the chat template puts around it. */
function costOf({ engine }: Pick<Turn, 'engine'>, message: Message): number {
  const around = 8
  if (message.role !== 'assistant') return engine.count(message.text) + around
  return engine.count(message.raw ?? message.text + JSON.stringify(message.calls)) + around
}
