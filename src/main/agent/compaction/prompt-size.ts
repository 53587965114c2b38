import type { Message } from '../../../shared/contract/messages.ts'
import { engineScale, fixedCost, messageTokens, newestCounted, tokensOf } from '../fit.ts'
import type { Turn } from '../turn.ts'
import { isSummary } from './apply.ts'

type Asker = Pick<Turn, 'engine' | 'system' | 'contextTokens' | 'tools' | 'strategy'>

/** Where the instructions alone fill half the window, a conversation must have some room all the same. */
const LEAST_ROOM = 0.3
/** From here on the prompt does not fit, whatever the settings say. */
const MOST = 0.75
/** Share of the trigger at which the person is told. */
const WARN = 0.85
/**
 * Tokens of a prompt from which on older messages are replaced, by the share of the window that the settings name. `fixed` is
 * what the instructions take of it.
 */
export const triggerTokens = (contextTokens: number, share: number, fixed: number): number =>
  Math.floor(
    Math.min(
      contextTokens * Math.max(MOST, share),
      Math.max(contextTokens * share, fixed + contextTokens * LEAST_ROOM),
    ),
  )

/** Whether the trigger is near. Before anything was asked twice, nothing can be replaced, so nothing is worth saying. */
export const isNear = (tokens: number, trigger: number, messages: readonly Message[]): boolean =>
  tokens > trigger * WARN && messages.filter(message => message.role === 'user').length > 1

/**
 * Tokens of the next prompt, if all these messages are sent. What the engine itself counted for the newest reply counts, and
 * only what came after it is estimated; that is exact on the local engine but for the newest messages. Thoughts are sent no
 * longer than their own turn lasts. What was counted before `since`, when there was another prompt, says nothing, and
 * messages before `firstId` were not counted, because they did not fit.
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
