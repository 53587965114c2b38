import type { Message } from '../../shared/contract/messages.ts'
import type { LlmEngine } from '../llm/engine.ts'
import { isSummary } from './compaction/apply.ts'
import { sendsRaw } from './strategies/text.ts'
import { userText } from './strategies/user-text.ts'
import type { Turn } from './turn.ts'

/**
 * What a session's window has left out so far, kept by the caller between turns: messages before `firstId` are not
 * sent, and results before `briefId` are sent shortened.
 */
export type Window = { firstId: number; briefId: number }

/** A window that has left out nothing yet. */
export const openWindow = (): Window => ({ firstId: 0, briefId: 0 })

/**
 * What is sent of a history. `left` says what was left out just now, and `needed` how many tokens the prompt would have
 * taken with it; `canShrink`, whether less could be sent.
 */
export type Fitted = {
  messages: readonly Message[]
  left: 'turns' | 'results' | undefined
  needed: number | undefined
  canShrink: boolean
}

type Counting = { engine: Pick<LlmEngine, 'name' | 'count'> }
type Asker = Counting & Pick<Turn, 'system' | 'contextTokens' | 'tools' | 'strategy' | 'scale'>

/** Share of the context window that the prompt may fill; the rest is for the answer. */
const FULL = 0.75
/** Share that is left after dropping, so that the next turns fit without moving the beginning (and the cached prefix) again. */
const AFTER_DROP = 0.45
/** Tokens that a chat template puts around a message. */
const AROUND = 8
/** More messages than one turn ever has. */
const LONGEST_TURN = 4_000
/** Characters that stay of a shortened result. */
const BRIEF = 300
const CUT = '\n[The rest was left out to make room. Call the tool again if you need it.]'

/** More messages than this never fit, however short they are, so nobody needs to look at more. A single turn always does. */
export const mostMessages = ({ contextTokens }: Pick<Turn, 'contextTokens'>): number =>
  Math.max(LONGEST_TURN, Math.ceil((contextTokens * FULL) / AROUND) + 1)

/**
 * The newest part of a history that fits the context window. Whole turns are dropped first, so that no result loses
 * its call; when the newest turn alone is too long, its older results are shortened. What the window has left out stays
 * out, which keeps the prefix stable from turn to turn. A summary of what was compacted is never left out.
 * `attempt` > 1 means that the engine found the last one too long.
 */
export function fit(turn: Asker, history: readonly Message[], window: Window, attempt: number): Fitted {
  const summary = history.find(isSummary)
  const before = history.filter(message => message.id >= window.firstId || message === summary)
  const scale = engineScale(turn, before, summary?.at ?? 0) ?? turn.scale ?? 1
  const taken = summary ? messageTokens(turn, summary, false) : 0
  const others = history.filter(message => message !== summary)
  const fitted = fitMessages(turn, others, window, { attempt, taken, scale })
  if (!summary) return fitted
  const { messages } = fitted
  const place = messages.findLastIndex(message => message.id < summary.id) + 1
  return { ...fitted, messages: messages.toSpliced(place, 0, summary) }
}

type Room = {
  attempt: number
  /** Tokens that are taken besides the prompt. */
  taken: number
  /** How many tokens of the engine an estimated one is. */
  scale: number
}

function fitMessages(turn: Asker, history: readonly Message[], window: Window, given: Room): Fitted {
  const kept = history
    .filter(message => message.id >= window.firstId)
    .map(message => (message.id < window.briefId ? shortened(message) : message))
  const newest = kept.findLastIndex(message => message.role === 'user')
  const cost = (message: Message, index: number) => messageTokens(turn, message, index > newest)
  const total = () => tokensOf(turn, kept)
  const room = roomFor(turn, given, total)

  // From the newest back, so that in a long chat most of it is not even counted.
  let used = 0
  let index = kept.length
  let from = Math.max(newest, 0)
  while (index > 0 && used <= room.full) {
    const message = kept[--index]!
    used += cost(message, index)
    if (message.role === 'user' && used <= room.target) from = Math.min(from, index)
  }
  if (used <= room.full)
    return { messages: kept, left: undefined, needed: undefined, canShrink: canShrink(kept) }

  const messages = kept.slice(from)
  if (from > 0) window.firstId = messages[0]!.id
  const briefId = from === newest ? shortenResults(messages, room, each => cost(each, from + 1)) : undefined
  if (briefId !== undefined) window.briefId = briefId
  const left = from > 0 ? 'turns' : briefId === undefined ? undefined : 'results'
  const needed = left && Math.round((fixedCost(turn) + given.taken + total()) * given.scale)
  return { messages, left, needed, canShrink: canShrink(messages) }
}

/** A count below this share of the estimate is not believed: some servers leave out what they had cached. */
const BELIEVED = 0.25
/** Estimates are hardly lower than this; whatever is beyond it was put around the messages once, and grows no more. */
const MOST_SCALE = 1.25

/**
 * How many tokens of the engine an estimated one is, by what the engine counted for the newest reply after `since`; undefined
 * when it has counted nothing that can be believed. `sent` is what it was sent.
 */
export function engineScale(turn: Asker, sent: readonly Message[], since: number): number | undefined {
  const at = newestCounted(turn, sent, since)
  const reply = sent[at]
  if (reply?.role !== 'assistant' || !reply.usage) return undefined
  const scale = reply.usage.promptTokens / (fixedCost(turn) + tokensOf(turn, sent.slice(0, at)))
  return scale < BELIEVED ? undefined : Math.min(scale, MOST_SCALE)
}

/** Where the newest reply after `since` stands whose prompt this engine has counted; -1 when there is none. */
export const newestCounted = ({ engine }: Counting, messages: readonly Message[], since: number): number =>
  messages.findLastIndex(
    message =>
      message.role === 'assistant' &&
      message.usage !== undefined &&
      message.model === engine.name &&
      message.at > since,
  )

/** Tokens of messages as they are sent, without the prompt before them. */
export function tokensOf(turn: Counting, messages: readonly Message[]): number {
  const newest = messages.findLastIndex(message => message.role === 'user')
  return messages.reduce((sum, message, index) => sum + messageTokens(turn, message, index > newest), 0)
}

/** Tokens that a history may cost before something is left out, and after it. */
function roomFor(
  turn: Asker,
  { attempt, taken, scale }: Room,
  total: () => number,
): { full: number; target: number } {
  if (attempt === 1) {
    const fixed = fixedCost(turn) + taken
    const contextTokens = turn.contextTokens / scale
    return { full: contextTokens * FULL - fixed, target: contextTokens * AFTER_DROP - fixed }
  }
  // What an engine found too long had other tokens than were estimated, or met a smaller window than it was told of.
  const less = total() / attempt
  return { full: less, target: less }
}

/**
 * Shorten the results of one turn, in place and oldest first, until it fits; returns the id up to which that was done,
 * or undefined when it fits as it is. What the model has not seen yet is shortened only as far as it must be.
 */
function shortenResults(
  messages: Message[],
  { full, target }: { full: number; target: number },
  cost: (message: Message) => number,
): number | undefined {
  let used = messages.reduce((sum, message) => sum + cost(message), 0)
  if (used <= full) return undefined
  const answered = messages.findLastIndex(message => message.role === 'assistant')
  let briefId: number | undefined
  for (let index = 0; index < messages.length - 1; index++) {
    if (used <= (index < answered ? target : full)) break
    const message = messages[index]!
    const brief = shortened(message)
    if (brief === message) continue
    used -= cost(message) - cost(brief)
    messages[index] = brief
    briefId = message.id + 1
  }
  return briefId
}

/** Whether there is an older turn to drop or a result to shorten. */
const canShrink = (messages: readonly Message[]): boolean =>
  messages.some(
    (message, index) =>
      (message.role === 'user' && index > 0) ||
      (index < messages.length - 1 && shortened(message) !== message),
  )

function shortened(message: Message): Message {
  if (message.role !== 'tool' || message.text.length <= BRIEF + CUT.length) return message
  return { ...message, text: message.text.slice(0, BRIEF).toWellFormed() + CUT }
}

/** Tokens of one message in the prompt, with what the chat template puts around it. `current`: it belongs to the newest turn. */
export function messageTokens({ engine }: Counting, message: Message, current: boolean): number {
  if (message.role === 'user') return engine.count(userText(message)) + AROUND
  if (message.role === 'tool') return engine.count(message.text) + AROUND
  const { text, calls } = message
  const written = sendsRaw(message, current, engine.name) ? message.raw : undefined
  return engine.count(written ?? (calls.length > 0 ? text + JSON.stringify(calls) : text)) + AROUND
}

/** Tokens of what is sent with every question: the prompt, and the tools where they travel as data. */
export function fixedCost({ engine, system, strategy, tools }: Asker): number {
  const attached = strategy.attach(tools)
  return engine.count(system) + (attached.length > 0 ? engine.count(JSON.stringify(attached)) : 0)
}
