import type { Message } from '../../../shared/contract/messages.ts'

/**
 * What stays as it is at both ends of a chat, and what a summary will stand for. Ids are those of messages. `middle` may be
 * empty; results up to `pruneToId` may be read as one line, also in a turn that has grown long by itself.
 */
export type Plan = { headId: number; upToId: number; middle: Message[]; pruneToId: number }

export type PlanOptions = {
  contextTokens: number
  cost(message: Message): number
  /** Tokens at the end that stay, and those at the end in which results stay as they are. */
  tail: number
  unpruned?: number
  /** The earlier pass; its summary stands for everything between these two. */
  earlier?: { headId: number; upToId: number } | undefined
}

/** The first exchange. */
const HEAD_MESSAGES = 3
/** A beginning that takes more than this share of the window is replaced like everything else, or there would never be room. */
const HEAD_SHARE = 0.25
/** Tokens at the end that stay, and the share of a small window that they may take. */
const TAIL_TOKENS = 20_000
const TAIL_SHARE = 0.4
/** Share of them that the question before the newest answers may take beyond that. */
const QUESTION_SHARE = 0.25

/** The most tokens of the end of a chat that stay as they are. */
export const tailTokens = (contextTokens: number): number =>
  Math.min(TAIL_TOKENS, Math.floor(contextTokens * TAIL_SHARE))

/** Tokens of the beginning that stays. */
export function headTokens(
  messages: readonly Message[],
  options: Omit<PlanOptions, 'tail' | 'unpruned'>,
): number {
  return costOf(messages.slice(0, headEnd(messages, options)), options.cost)
}

/**
 * Work out what can be replaced: not the first exchange, not the newest messages of so many tokens, not the newest message of
 * the person and what follows it, and never a call without its results. `messages` are those that no summary stands for yet.
 */
export function planCompaction(messages: readonly Message[], options: PlanOptions): Plan {
  const { cost, tail, unpruned = tail, earlier } = options
  const head = headEnd(messages, options)
  const kept = earlier ? messages.findLastIndex(message => message.id <= earlier.headId) + 1 : head
  const newest = newestThatFit(messages, head, tail, cost)
  const asked = messages.findLastIndex(message => message.role === 'user')
  // What the model has not answered yet stays as it is.
  const pruneTo = Math.min(
    newestThatFit(messages, 0, unpruned, cost),
    groupStart(messages, messages.length - 1),
  )
  const cut = withQuestion(messages, groupEndBefore(messages, newest), tail * QUESTION_SHARE, cost)
  const to = Math.max(kept, Math.min(cut, asked < 0 ? messages.length : asked))
  const middle = messages.slice(head, to)
  const headId = earlier && head === kept ? earlier.headId : (messages[head - 1]?.id ?? 0)
  const upToId = Math.max(middle.at(-1)?.id ?? headId, earlier?.upToId ?? 0)
  return { headId, upToId, middle, pruneToId: messages[pruneTo - 1]?.id ?? 0 }
}

/** Where the beginning that stays ends: that of an earlier pass, or the first exchange, or nothing when it is too long. */
function headEnd(
  messages: readonly Message[],
  { contextTokens, cost, earlier }: Omit<PlanOptions, 'tail' | 'unpruned'>,
): number {
  const end = earlier
    ? messages.findLastIndex(message => message.id <= earlier.headId) + 1
    : firstExchange(messages)
  return costOf(messages.slice(0, end), cost) > contextTokens * HEAD_SHARE ? 0 : end
}

/** Before the second thing that the person says, and never inside a group of calls. */
function firstExchange(messages: readonly Message[]): number {
  const second = messages.findIndex((message, index) => index > 0 && message.role === 'user')
  const end = Math.min(HEAD_MESSAGES, second < 0 ? messages.length : second)
  return groupStart(messages, end)
}

/** Where the newest messages begin that fit. */
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

/** The first place at or after this one that does not stand between a call and its results. */
function groupEndBefore(messages: readonly Message[], index: number): number {
  let at = index
  while (at < messages.length && messages[at]!.role === 'tool') at++
  return at
}

/** An answer without its question helps nobody, so a short question stays with the answer right behind it. */
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

/** The last place at or before this one that does not stand between a call and its results. */
function groupStart(messages: readonly Message[], index: number): number {
  let at = index
  while (at > 0 && at < messages.length && messages[at]!.role === 'tool') at--
  return at
}

const costOf = (messages: readonly Message[], cost: (message: Message) => number): number =>
  messages.reduce((sum, message) => sum + cost(message), 0)
