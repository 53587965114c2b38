import type { Message } from '../../../shared/contract/messages.ts'
import { engineScale, fixedCost, messageTokens, newestCounted, tokensOf } from '../fit-history.ts'
import type { Turn } from '../turn.ts'
import { isSummary } from './apply-compaction.ts'

type Asker = Pick<Turn, 'engine' | 'system' | 'contextTokens' | 'tools' | 'strategy'>

/** Minimum share for the conversation, even when the instructions alone fill half the context window. */
const MIN_ROOM = 0.3
/** Maximum share of the context window that a prompt may take, regardless of the settings. */
const MAX_SHARE = 0.75
/** Share of the trigger at which the user is warned. */
const WARN = 0.85
/**
 * Tokens of a prompt at which compaction starts. `share` of the context window comes from the settings; `fixed`
 * is the size of the instructions.
 */
export const triggerTokens = (contextTokens: number, share: number, fixed: number): number =>
  Math.floor(
    Math.min(
      contextTokens * Math.max(MAX_SHARE, share),
      Math.max(contextTokens * share, fixed + contextTokens * MIN_ROOM),
    ),
  )

/**
 * Whether the trigger is near. False until the user's second message, because nothing could be replaced before
 * that.
 */
export const isNearTrigger = (tokens: number, trigger: number, messages: readonly Message[]): boolean =>
  tokens > trigger * WARN && messages.filter(message => message.role === 'user').length > 1

/**
 * Tokens of the next prompt if all these messages are sent. The engine's own count for the newest reply is the
 * base, and only later messages are estimated, so the local engine is exact except for those. Reasoning is only
 * sent during its own turn, so it is subtracted afterwards. A count from before `since` is ignored because the
 * prompt was different then. Messages before `firstId` did not fit and so were never counted.
 */
export function promptTokens(turn: Asker, messages: readonly Message[], since = 0, firstId = 0): number {
  const sent = messages.filter(message => message.id >= firstId || isSummary(message))
  const scale = engineScale(turn, sent, since)
  const reply = sent[newestCounted(turn, sent, since)]
  if (scale === undefined || sent.length < messages.length || reply?.role !== 'assistant' || !reply.usage)
    return Math.round((scale ?? 1) * (fixedCost(turn) + tokensOf(turn, messages)))
  const at = messages.indexOf(reply)
  const { promptTokens: read, outputTokens: written } = reply.usage
  const later = messages.slice(at + 1)
  const isOver = later.some(message => message.role === 'user')
  const asked = messages.findLastIndex((message, index) => index < at && message.role === 'user')
  let estimated = tokensOf(turn, later)
  for (const message of isOver ? messages.slice(asked + 1, at) : [])
    if (message.role === 'assistant' && message.reasoning !== '')
      estimated -= messageTokens(turn, message, true) - messageTokens(turn, message, false)
  if (reply.reasoning !== '') estimated += messageTokens(turn, reply, !isOver)
  return Math.round(read + (reply.reasoning === '' ? written : 0) + scale * estimated)
}
