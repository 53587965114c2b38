import type { Message } from '../../../shared/contract/chats/messages.ts'
import { engineScale, fixedCost, messageTokens, newestCounted, sumTokens, tokensOf } from '../fit-history.ts'
import type { Turn } from '../turn-types.ts'
import { isSummary } from './apply-compaction.ts'

type Asker = Pick<Turn, 'engine' | 'system' | 'contextTokens' | 'tools' | 'strategy'>

/** Minimum share for the conversation, even if the instructions alone fill half the context window. */
const MIN_ROOM = 0.3
/** Maximum share of the context window that a prompt may take, unless the setting is higher. */
const MAX_SHARE = 0.75
/** Share of the trigger at which the user is warned. */
const WARN = 0.85
/**
 * Tokens of a prompt at which compaction starts. `share` of the context window comes from the settings;
 * `fixed` is the size of the instructions.
 */
export const triggerTokens = (contextTokens: number, share: number, fixed: number): number =>
  Math.floor(
    Math.min(
      contextTokens * Math.max(MAX_SHARE, share),
      Math.max(contextTokens * share, fixed + contextTokens * MIN_ROOM),
    ),
  )

/** Whether the trigger is near. False until the user's second message: nothing could be replaced before. */
export const isNearTrigger = (tokens: number, trigger: number, messages: readonly Message[]): boolean =>
  tokens > trigger * WARN && messages.filter(message => message.role === 'user').length > 1

/**
 * Tokens of the next prompt if all these messages are sent. The engine's own count for the newest reply is
 * the base, and only later messages are estimated, so the local engine is exact except for those. Reasoning
 * is only sent during its own turn, so it is subtracted afterwards. A count from before `since` is ignored
 * because the prompt was different then. Messages before `firstId` did not fit and so were never counted.
 */
export async function promptTokens(
  turn: Asker,
  messages: readonly Message[],
  since = 0,
  firstId = 0,
): Promise<number> {
  const sent = messages.filter(message => message.id >= firstId || isSummary(message))
  const scale = engineScale(turn, sent, since)
  const reply = sent[newestCounted(turn, sent, since)]
  if (scale === undefined || sent.length < messages.length || reply?.role !== 'assistant' || !reply.usage)
    return Math.round((scale ?? 1) * (fixedCost(turn) + (await sumTokens(turn, messages))))
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

/** Tokens of the next prompt, taking the newest count after `since` at face value. Undefined without one. */
export function reportedTokens(turn: Asker, sent: readonly Message[], since = 0): number | undefined {
  const at = newestCounted(turn, sent, since)
  const reply = sent[at]
  if (reply?.role !== 'assistant' || !reply.usage) return undefined
  return reply.usage.promptTokens + reply.usage.outputTokens + tokensOf(turn, sent.slice(at + 1))
}

/**
 * The messages that stay at both ends of a chat and those that a summary will replace, by message id.
 * `middle` may be empty. Results and calls up to `pruneToId` may be shortened, even within a long current
 * turn. `questionId`: the question that stays because the middle ends within its turn; else 0.
 */
export type Plan = {
  headId: number
  upToId: number
  middle: Message[]
  pruneToId: number
  questionId: number
}

type PlanOptions = {
  contextTokens: number
  cost(message: Message): number
  /** Maximum messages of the first exchange to keep. */
  firstMessages: number
  /** Tokens to keep at the end, and tokens at the end whose results stay in full. */
  tail: number
  unpruned?: number
  /** The range that the summary of an earlier pass covers. */
  earlier?: { headId: number; upToId: number } | undefined
  /** Whether steps of the newest turn may be replaced too. */
  within?: boolean
}

/** Maximum share of the context window for a kept beginning. A longer beginning is replaced too. */
const HEAD_SHARE = 0.25
/** Share of a small context window that the end of a chat may take. */
const TAIL_SHARE = 0.4
/** Extra share of those tokens for the question that the newest answers belong to. */
const QUESTION_SHARE = 0.25

/**
 * Weight of call arguments within the part that stays in full. The call has put their content somewhere, such
 * as into a file, so it is missed less. The next steps then fit without another pass.
 */
const CALL_WEIGHT = 2

/** Maximum tokens kept unchanged at the end of a chat, given the setting. */
export const tailTokens = (contextTokens: number, most: number): number =>
  Math.min(most, Math.floor(contextTokens * TAIL_SHARE))

/** Tokens of the beginning that is kept. */
export function headTokens(
  messages: readonly Message[],
  options: Omit<PlanOptions, 'tail' | 'unpruned'>,
): number {
  return costOf(messages.slice(0, headEnd(messages, options)), options.cost)
}

/** Index of the newest turn's question; -1 if there is none. Messages during the turn do not count. */
export function newestQuestion(messages: readonly Message[]): number {
  const asked = messages.findLastIndex(
    message => message.role === 'user' && !message.steered && !isSummary(message),
  )
  return asked < 0 ? messages.findLastIndex(message => message.role === 'user') : asked
}

/** Tokens of the user's messages in the newest turn, which stay if its steps are replaced. */
export const questionTokens = (messages: readonly Message[], cost: PlanOptions['cost']): number =>
  costOf(
    messages.slice(Math.max(0, newestQuestion(messages))).filter(message => message.role === 'user'),
    cost,
  )

/**
 * Plan what can be replaced. These always stay: the first exchange, the newest messages within the token
 * budget, the user's newest message and everything after it. `within`: of the newest turn only its question
 * and its last step must stay. A call is never separated from its results. `messages` are those not covered
 * by a summary yet.
 */
export function planCompaction(messages: readonly Message[], options: PlanOptions): Plan {
  const { cost, tail, unpruned = tail, earlier, within = false } = options
  const begin = headEnd(messages, options)
  const newest = newestThatFit(messages, begin, tail, cost)
  const asked = newestQuestion(messages)
  const last = groupStart(messages, messages.length - 1)
  // Results that the model has not answered yet stay in full, with their calls.
  const weight = (message: Message) =>
    message.role === 'assistant' && message.calls.length > 0 ? CALL_WEIGHT * cost(message) : cost(message)
  const pruneTo = Math.min(newestThatFit(messages, 0, unpruned, weight), last)
  const cut = withQuestion(messages, groupEndBefore(messages, newest), tail * QUESTION_SHARE, cost)
  const end = Math.min(cut, last)
  const isWithin = within && asked >= 0 && end > asked + 1
  const head = isWithin ? Math.min(begin, asked) : begin
  const covered = earlier ? messages.findLastIndex(message => message.id <= earlier.headId) + 1 : begin
  const kept = isWithin ? Math.min(covered, asked) : covered
  const to = isWithin ? end : Math.max(kept, Math.min(cut, asked < 0 ? messages.length : asked))
  const stays = ({ role }: Message, at: number) => isWithin && role === 'user' && head + at >= asked
  const middle = messages.slice(head, to).filter((message, at) => !stays(message, at))
  const headId = earlier && head === kept ? earlier.headId : (messages[head - 1]?.id ?? 0)
  const upToId = Math.max(middle.at(-1)?.id ?? headId, earlier?.upToId ?? 0)
  const questionId = isWithin ? messages[asked]!.id : 0
  return { headId, upToId, middle, pruneToId: messages[pruneTo - 1]?.id ?? 0, questionId }
}

/** Index where the kept beginning ends: of the earlier pass or the first exchange, or 0 if too long. */
function headEnd(
  messages: readonly Message[],
  { contextTokens, cost, earlier, firstMessages }: Omit<PlanOptions, 'tail' | 'unpruned'>,
): number {
  const end = earlier
    ? messages.findLastIndex(message => message.id <= earlier.headId) + 1
    : firstExchange(messages, firstMessages)
  return costOf(messages.slice(0, end), cost) > contextTokens * HEAD_SHARE ? 0 : end
}

/** End the first exchange before the user's second message, and never within a group of calls. */
function firstExchange(messages: readonly Message[], most: number): number {
  const second = messages.findIndex((message, index) => index > 0 && message.role === 'user')
  const end = Math.min(most, second < 0 ? messages.length : second)
  return groupStart(messages, end)
}

/** Index of the first of the newest messages that fit. */
function newestThatFit(
  messages: readonly Message[],
  from: number,
  room: number,
  cost: (message: Message) => number,
): number {
  let used = 0
  let start = messages.length
  while (start > from) {
    used += cost(messages[start - 1]!)
    if (used > room) break
    start--
  }
  return start
}

/** The first index from `index` on that does not separate a call from its results. */
function groupEndBefore(messages: readonly Message[], index: number): number {
  let at = index
  while (at < messages.length && messages[at]!.role === 'tool') at++
  return at
}

/** Include a short question directly before the cut, because its answer is of little use without it. */
function withQuestion(
  messages: readonly Message[],
  index: number,
  room: number,
  cost: (message: Message) => number,
): number {
  const before = messages[index - 1]
  const isCut = before?.role === 'user' && messages[index]?.role === 'assistant'
  return isCut && cost(before) <= room ? index - 1 : index
}

/** The last index up to `index` that does not separate a call from its results. */
function groupStart(messages: readonly Message[], index: number): number {
  let at = index
  while (at > 0 && at < messages.length && messages[at]!.role === 'tool') at--
  return at
}

const costOf = (messages: readonly Message[], cost: (message: Message) => number): number =>
  messages.reduce((sum, message) => sum + cost(message), 0)
