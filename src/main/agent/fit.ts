import type { Message } from '../../shared/contract/messages.ts'
import { sendsRaw } from './strategies/text.ts'
import type { Turn } from './turn.ts'

/**
 * What a session's window has left out so far, kept by the caller between turns: messages before `firstId` are not
 * sent, and results before `briefId` are sent shortened.
 */
export type Window = { firstId: number; briefId: number }

/** A window that has left out nothing yet. */
export const openWindow = (): Window => ({ firstId: 0, briefId: 0 })

/** What is sent of a history. `left` says what was left out just now; `canShrink`, whether less could be sent. */
export type Fitted = {
  messages: readonly Message[]
  left: 'turns' | 'results' | undefined
  canShrink: boolean
}

/** Share of the context window that the prompt may fill; the rest is for the answer. */
const FULL = 0.75
/** Share that is left after dropping, so that the next turns fit without moving the beginning (and the cached prefix) again. */
const AFTER_DROP = 0.45
/** Characters that stay of a shortened result. */
const BRIEF = 300
const CUT = '\n[The rest was left out to make room. Call the tool again if you need it.]'

/**
 * The newest part of a history that fits the context window. Whole turns are dropped first, so that no result loses
 * its call; when the newest turn alone is too long, its older results are shortened. What the window has left out stays
 * out, which keeps the prefix stable from turn to turn. `attempt` > 1 means that the engine found the last one too long.
 */
export function fit(
  turn: Pick<Turn, 'engine' | 'system' | 'contextTokens' | 'tools' | 'strategy'>,
  history: readonly Message[],
  window: Window,
  attempt: number,
): Fitted {
  const kept = history
    .filter(message => message.id >= window.firstId)
    .map(message => (message.id < window.briefId ? shortened(message) : message))
  const newest = kept.findLastIndex(message => message.role === 'user')
  const cost = (message: Message, index: number) => costOf(turn, message, index > newest)
  const costs = kept.map(cost)
  const fixed = fixedCost(turn)
  let used = costs.reduce((sum, each) => sum + each, 0)
  const roomFor = (share: number) =>
    // What an engine found too long had other tokens than were estimated, or met a smaller window than it was told of.
    attempt === 1 ? turn.contextTokens * share - fixed : used / attempt
  const full = roomFor(FULL)
  const target = roomFor(AFTER_DROP)
  if (used <= full) return { messages: kept, left: undefined, canShrink: canShrink(kept) }

  let from = 0
  for (let start = 1; start <= newest && used > target; start++) {
    if (kept[start]?.role !== 'user') continue
    for (; from < start; from++) used -= costs[from]!
  }
  if (from > 0) window.firstId = kept[from]!.id

  const answered = kept.findLastIndex(message => message.role === 'assistant')
  const isTooLong = used > full
  let hasShortened = false
  for (let index = from; isTooLong && index < kept.length - 1; index++) {
    // What the model has not seen yet is shortened only as far as it must be.
    if (used <= (index < answered ? target : full)) break
    const message = kept[index]!
    const brief = shortened(message)
    if (brief === message) continue
    used -= costs[index]! - cost(brief, index)
    kept[index] = brief
    window.briefId = message.id + 1
    hasShortened = true
  }

  const messages = kept.slice(from)
  const left = from > 0 ? 'turns' : hasShortened ? 'results' : undefined
  return { messages, left, canShrink: canShrink(messages) }
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
function costOf({ engine }: Pick<Turn, 'engine'>, message: Message, current: boolean): number {
  const around = 8
  if (message.role !== 'assistant') return engine.count(message.text) + around
  const { text, calls } = message
  const written = sendsRaw(message, current) ? message.raw : undefined
  return engine.count(written ?? (calls.length > 0 ? text + JSON.stringify(calls) : text)) + around
}

/** Tokens of what is sent with every question: the prompt, and the tools where they travel as data. */
function fixedCost({ engine, system, strategy, tools }: Parameters<typeof fit>[0]): number {
  const attached = strategy.attach(tools)
  return engine.count(system) + (attached.length > 0 ? engine.count(JSON.stringify(attached)) : 0)
}
