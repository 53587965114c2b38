import { setImmediate as others } from 'node:timers/promises'
import type { Message, ToolMessage, UserMessage } from '../../shared/contract/chats/messages.ts'
import type { LlmEngine } from '../models/interface/engine.ts'
import { pictureTokens } from '../models/interface/token-counts.ts'
import { isSummary } from './compaction/apply-compaction.ts'
import {
  applyOmitted,
  beginsTurn,
  canShrink,
  dropSteps,
  mostStepTokens,
  newestTurn,
  shortenTurn,
  type OmittedHistory,
} from './fit-turn.ts'
import { sendsRaw } from './strategies/text.ts'
import { picturesOf, userText } from './strategies/strategy.ts'
import type { Turn } from './turn-types.ts'

/**
 * The part of a history to send. `left`: what was left out just now. `needed`: tokens that the prompt would
 * have taken with the rest. `canShrink`: whether even less could be sent.
 */
export type FittedHistory = {
  messages: readonly Message[]
  left: 'turns' | 'results' | 'steps' | undefined
  needed: number | undefined
  canShrink: boolean
}

type Counting = { engine: Pick<LlmEngine, 'name' | 'count'>; sees?: boolean | undefined }
type Asker = Counting & Pick<Turn, 'system' | 'contextTokens' | 'tools' | 'strategy' | 'scale'>

/** Share of the context window that the prompt may fill; the rest is for the answer. */
export const MAX_PROMPT_SHARE = 0.75
/**
 * Share that remains after dropping. The gap lets the next turns fit without moving the start of the prompt,
 * which would lose the cached prefix.
 */
const SHARE_AFTER_DROP = 0.45
/** Tokens that a chat template adds around a message. */
const TEMPLATE_TOKENS = 8
/** Upper bound on the messages of one turn. */
const MAX_TURN_MESSAGES = 4_000
/** Maximum number of messages that can fit, however short. The newest turn is always included. */
export const mostMessages = ({ contextTokens }: Pick<Turn, 'contextTokens'>): number =>
  Math.max(MAX_TURN_MESSAGES, Math.ceil((contextTokens * MAX_PROMPT_SHARE) / TEMPLATE_TOKENS) + 1)

/**
 * Return the newest part of a history that fits the context window. Whole turns are dropped first, so that no
 * result loses its call. If the newest turn alone is too long, its older results and call arguments are
 * shortened. If that is not enough, its older steps become a list. Whatever was left out stays out, which
 * keeps the prefix stable from turn to turn. A compaction summary is always sent. `attempt` > 1: the engine
 * rejected the previous prompt as too long.
 */
export function fitHistory(
  turn: Asker,
  history: readonly Message[],
  omitted: OmittedHistory,
  attempt: number,
): FittedHistory {
  const summary = history.find(isSummary)
  const others = history.filter(message => message !== summary)
  const read = withSummary(applyOmitted(others, omitted, turn), summary)
  const scale = engineScale(turn, read, summary?.at ?? 0) ?? turn.scale ?? 1
  const taken = summary ? messageTokens(turn, summary, false) : 0
  const fitted = fitMessages(turn, others, omitted, { attempt, taken, scale })
  return { ...fitted, messages: withSummary(fitted.messages, summary) }
}

/** Insert the summary in place of the messages that it replaces. */
function withSummary(messages: readonly Message[], summary: Message | undefined): readonly Message[] {
  if (!summary) return messages
  const place = messages.findLastIndex(message => message.id < summary.id) + 1
  return messages.toSpliced(place, 0, summary)
}

type Given = {
  attempt: number
  /** Tokens used besides the prompt. */
  taken: number
  /** The engine's tokens per estimated token. */
  scale: number
}

function fitMessages(
  turn: Asker,
  history: readonly Message[],
  omitted: OmittedHistory,
  given: Given,
): FittedHistory {
  const kept = applyOmitted(history, omitted, turn)
  const newest = kept.findLastIndex(message => message.role === 'user')
  const cost = (message: Message, index: number) => messageTokens(turn, message, index > newest)
  const total = () => tokensOf(turn, kept)
  const room = roomFor(turn, given, total)

  // Count from the newest message back, so that most of a long chat is never counted.
  let used = 0
  let index = kept.length
  const asked = newestTurn(kept)
  let from = asked
  while (index > 0 && used <= room.full) {
    const message = kept[--index]!
    used += cost(message, index)
    if (beginsTurn(message) && used <= room.target) from = Math.min(from, index)
  }
  if (used <= room.full)
    return { messages: kept, left: undefined, needed: undefined, canShrink: canShrink(kept) }

  let messages = kept.slice(from)
  let left: FittedHistory['left'] = from > 0 ? 'turns' : undefined
  const firstId = messages[0]?.id ?? 0
  if (from > 0) omitted.firstId = firstId
  if (from === asked) {
    const costNow = (message: Message) => messageTokens(turn, message, true)
    const sent = () => applyOmitted(history, { ...omitted, firstId }, turn)
    const briefId = shortenTurn(messages, room, costNow)
    if (briefId !== undefined) {
      omitted.briefId = Math.max(briefId, omitted.briefId)
      messages = sent()
      left ??= 'results'
    }
    const stepsId = dropSteps(messages, { ...room, list: mostStepTokens(turn) }, costNow)
    if (stepsId !== undefined) {
      omitted.stepsId = stepsId
      messages = sent()
      left = left === 'turns' ? left : 'steps'
    }
  }
  const needed = left && Math.round((fixedCost(turn) + given.taken + total()) * given.scale)
  return { messages, left, needed, canShrink: canShrink(messages) }
}

/** Minimum share of the estimate for a count to be believed, because some servers omit cached tokens. */
const BELIEVED = 0.25
/** Maximum scale. Real counts rarely exceed estimates by more; a larger excess is a fixed overhead. */
const MAX_SCALE = 1.25

/**
 * The engine's tokens per estimated token, from its count for the newest reply after `since`. `sent`: the
 * messages sent for that reply. Undefined without a plausible count.
 */
export function engineScale(turn: Asker, sent: readonly Message[], since: number): number | undefined {
  const at = newestCounted(turn, sent, since)
  const reply = sent[at]
  if (reply?.role !== 'assistant' || !reply.usage) return undefined
  const scale = reply.usage.promptTokens / (fixedCost(turn) + tokensOf(turn, sent.slice(0, at)))
  return scale < BELIEVED ? undefined : Math.min(scale, MAX_SCALE)
}

/** Index of the newest reply after `since` whose prompt this engine counted; -1 if there is none. */
export const newestCounted = ({ engine }: Counting, messages: readonly Message[], since: number): number =>
  messages.findLastIndex(
    message =>
      message.role === 'assistant' &&
      message.usage !== undefined &&
      message.model === engine.name &&
      message.at > since,
  )

/** Tokens of messages as they are sent, without the system prompt. */
export function tokensOf(turn: Counting, messages: readonly Message[]): number {
  const newest = messages.findLastIndex(message => message.role === 'user')
  return messages.reduce((sum, message, index) => sum + messageTokens(turn, message, index > newest), 0)
}

/** How many messages to add up before yielding to other work: a few ms once they are counted. */
const SUMMED_AT_ONCE = 4_000

/** Like `tokensOf`, for very long chats: yields to other work in between. */
export async function sumTokens(turn: Counting, messages: readonly Message[]): Promise<number> {
  const newest = messages.findLastIndex(message => message.role === 'user')
  let sum = 0
  for (const [index, message] of messages.entries()) {
    if (index % SUMMED_AT_ONCE === SUMMED_AT_ONCE - 1) await others()
    sum += messageTokens(turn, message, index > newest)
  }
  return sum
}

/** The token limit above which messages are left out, and the target to reach by leaving them out. */
function roomFor(
  turn: Asker,
  { attempt, taken, scale }: Given,
  total: () => number,
): { full: number; target: number } {
  if (attempt === 1) {
    const fixed = fixedCost(turn) + taken
    const contextTokens = turn.contextTokens / scale
    return {
      full: contextTokens * MAX_PROMPT_SHARE - fixed,
      target: contextTokens * SHARE_AFTER_DROP - fixed,
    }
  }
  // The engine rejected the prompt: it counts differently, or its window is smaller than reported.
  const less = total() / attempt
  return { full: less, target: less }
}

/** Tokens of a message with its template overhead. `current`: the message belongs to the newest turn. */
export function messageTokens({ engine, sees }: Counting, message: Message, current: boolean): number {
  if (message.role === 'user')
    return engine.count(userText(message)) + pictureCost(message, sees) + TEMPLATE_TOKENS
  if (message.role === 'tool')
    return engine.count(message.text) + pictureCost(message, sees) + TEMPLATE_TOKENS
  const { text, calls } = message
  const written = sendsRaw(message, current, engine.name) ? message.raw : undefined
  const sent = calls.map(({ id, name, arguments: given }) => ({ id, name, arguments: given }))
  return engine.count(written ?? (calls.length > 0 ? text + JSON.stringify(sent) : text)) + TEMPLATE_TOKENS
}

/** Estimated tokens of a picture for a model without vision: one line, or a description. */
const TOKENS_OF_LINE = 300

/** Tokens for a message's pictures, or for the lines that replace them for a model without vision. */
const pictureCost = (message: UserMessage | ToolMessage, sees: boolean | undefined): number =>
  (picturesOf(message).pictures ?? []).reduce(
    (sum, picture) => sum + (sees === false ? TOKENS_OF_LINE : pictureTokens(picture)),
    0,
  )

/** How many characters to count before yielding to other work: a few ms. */
const COUNTED_AT_ONCE = 200_000

/**
 * Return the same turn with cached token counts, beginning with those of `messages`. A long chat is counted
 * in slices that yield to other work. Later counts are then cheap.
 */
export async function countAhead<T extends Pick<Turn, 'engine'>>(
  turn: T,
  messages: readonly Message[],
): Promise<T> {
  const { engine } = turn
  const counts = new Map<string, number>()
  const count = (text: string): number => {
    const known = counts.get(text) ?? engine.count(text)
    counts.set(text, known)
    return known
  }
  const { modelId, name } = engine
  const counting: T = {
    ...turn,
    engine: {
      modelId,
      name,
      count,
      profile: () => engine.profile(),
      complete: (prompt, signal) => engine.complete(prompt, signal),
    },
  }
  let chars = 0
  for (const message of messages) {
    messageTokens(counting, message, false)
    chars += message.text.length + TEMPLATE_TOKENS
    if (chars < COUNTED_AT_ONCE) continue
    await others()
    chars = 0
  }
  return counting
}

/** Tokens sent with every request: the system prompt, and the tools if they are sent as data. */
export function fixedCost({ engine, system, strategy, tools }: Asker): number {
  const attached = strategy.attach(tools)
  return engine.count(system) + (attached.length > 0 ? engine.count(JSON.stringify(attached)) : 0)
}
