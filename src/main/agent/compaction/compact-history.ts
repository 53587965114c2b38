import type { Message } from '../../../shared/contract/chats/messages.ts'
import type { NewRunEvent } from '../../../shared/contract/runs/run.ts'
import type { Compaction } from '../../../shared/contract/chats/session.ts'
import {
  countAhead,
  engineScale,
  fixedCost,
  MAX_PROMPT_SHARE,
  messageTokens,
  sumTokens,
} from '../fit-history.ts'
import type { Turn, TurnPorts } from '../turn-types.ts'
import { mergeMarks } from '../../untrusted/strangers-marks.ts'
import { withCompaction, pruneUpTo } from './apply-compaction.ts'
import {
  headTokens,
  newestQuestion,
  planCompaction,
  questionTokens,
  tailTokens,
  type Plan,
  isNearTrigger,
  promptTokens,
  reportedTokens,
  triggerTokens,
} from './plan.ts'
import { expectedGain, nextSummaryTokens, summariseMessages } from './summarise.ts'

export type Asker = Pick<
  Turn,
  'engine' | 'system' | 'contextTokens' | 'tools' | 'strategy' | 'sessionId' | 'guide'
>
/** `useless`: consecutive passes of `modelId` that saved little. `byHand`: the user asked for it. */
type StoredCompaction = Compaction & { useless: number; modelId: string; byHand: boolean }

export type CompactPorts = {
  /** The messages that no summary covers yet, in order. Of very many, only the beginning and the newest. */
  messages(): readonly Message[] | Promise<readonly Message[]>
  newest(): StoredCompaction | undefined
  /** Times of the newest automatic summaries, newest first; at most `most`. */
  recent(most: number): readonly number[]
  /** Store the compaction. It applies from the next prompt on. */
  keep(compaction: Omit<StoredCompaction, 'id'>): StoredCompaction
  emit: TurnPorts['emit']
  /** Review the messages before they are replaced, and wait for it. Never throws because of a model. */
  flushFirst?(flush: Flush, signal: AbortSignal): Promise<void>
  /** Queue a review of the messages that are about to be replaced, except those already reviewed. */
  flush(fromId: number, upToId: number): void
  /** Called with the engine's tokens per estimated token, if the engine counted before this pass. */
  scaled?(scale: number): void
  now(): number
}

/** Messages that a summary is about to replace: those after `fromId`, up to `upToId`. */
export type Flush = {
  fromId: number
  upToId: number
  /** Everything that the model reads now, up to those messages, and its tokens with the instructions. */
  sent: readonly Message[]
  tokens: number
}

/** How a review before a summary ended, with the text for the user. */
export type FlushEnd = Omit<Extract<NewRunEvent, { type: 'flushed' }>, 'type'>

/** The user's settings for compaction. */
export type CompactionConfig = {
  /** Share of the context window at which compaction starts; 1 turns it off. */
  trigger: number
  /** Maximum messages of the first exchange, and maximum tokens at the end, that stay unchanged. */
  first_messages: number
  last_tokens: number
  /** Length of a summary as a share of what it replaces. */
  summary_share: number
}

export type CompactOptions = CompactionConfig & {
  /** The user asked for compaction, so the token count does not matter. */
  byHand: boolean
  focus: string
  /** Messages before this one were left out of the last prompt because they did not fit. */
  firstId?: number
}

/**
 * `nothing`: the middle of the chat is empty or too short to be worth replacing. `paused`: there were too
 * many summaries in a short time. `away`: the chat’s own model cannot be reached or rejects the key, so
 * nothing changes until it answers.
 */
export type CompactionOutcome =
  | 'enough'
  | 'near'
  | 'compacted'
  | 'nothing'
  | 'given_up'
  | 'paused'
  | 'away'
  | 'stopped'

/** Share of the trigger to aim for. It leaves room for the next turns, so the prefix stays valid longer. */
const TARGET_SHARE = 0.8
/** Minimum share of the context window kept at the end of the chat. */
const MIN_TAIL = 0.1
/** Maximum share of the chat kept at its end when the user asks for compaction, even in a short chat. */
const TAIL_BY_HAND = 0.3
/**
 * Minimum share that remains after a useless pass. After `MAX_USELESS` useless passes, only a pass that
 * promises `MUCH_GAIN` is tried.
 */
const USELESS = 0.9
const MAX_USELESS = 2
const MUCH_GAIN = 0.75
/** How many automatic summaries within `SHORT_MS` cause a pause: each discards the cached prefix. */
const MANY_PASSES = 3
const SHORT_MS = 4 * 60_000
const PAUSE_MS = 6 * 60_000

/**
 * Compact a chat whose prompt has grown beyond the trigger. First, old tool results are shortened to one
 * line, and old call arguments to their beginnings. If that is not enough, a summary replaces everything
 * between the first exchange and the newest messages; later passes extend it. Steps of the newest turn are
 * included only if the earlier turns are not enough; the turn's question then stays. If the model gives no
 * answer, the summary is built without a model. No message is lost: all stay in the chat and can be found by
 * search.
 */
export async function compactHistory(
  given: Asker,
  ports: CompactPorts,
  options: CompactOptions,
  signal: AbortSignal,
): Promise<CompactionOutcome> {
  const { trigger: share, summary_share: summaryShare, byHand, focus, firstId } = options
  if (!byHand && share >= 1) return 'enough'
  const messages = await ports.messages()
  const turn = await countAhead(given, messages)
  const earlier = ports.newest()
  const sent = withCompaction(messages, earlier)
  const tokens = await promptTokens(turn, sent, earlier?.at, firstId)
  const fixed = fixedCost(turn)
  const counted = fixed + (await sumTokens(turn, sent))
  const known = engineScale(turn, sent, earlier?.at ?? 0)
  const scale = known ?? 1
  /** The engine's count of the prompt if its messages had this many estimated tokens. */
  const withOnly = (estimated: number) => Math.max(0, Math.round(tokens - scale * (counted - estimated)))
  const trigger = triggerTokens(turn.contextTokens, share, withOnly(fixed))
  if (!byHand && tokens < trigger) return isNearTrigger(tokens, trigger, sent) ? 'near' : 'enough'
  // Some servers omit cached tokens from their count. Believe it until the history would have to be cut.
  const told = byHand || known !== undefined ? undefined : reportedTokens(turn, sent, earlier?.at)
  if (told !== undefined && told < trigger && tokens <= turn.contextTokens * MAX_PROMPT_SHARE) return 'enough'

  const sizes = {
    firstMessages: options.first_messages,
    room: (trigger * TARGET_SHARE - withOnly(fixed)) / scale,
    mostTail: byHand ? (counted - fixed) * TAIL_BY_HAND : tailTokens(turn.contextTokens, options.last_tokens),
  }
  const ofTurns = planOf(turn, messages, earlier, sizes)
  const rest = tokens - scale * (await expectedGain(turn, ofTurns, earlier, summaryShare))
  const areTurnsEnough = !byHand && ofTurns.middle.length > 0 && rest <= trigger * TARGET_SHARE
  const plan = areTurnsEnough ? ofTurns : planOf(turn, messages, earlier, { ...sizes, within: true })
  const at = ports.now()
  const { modelId } = turn.engine
  // The saving of a pass depends on the model and how it counts. Older passes did not store their model.
  const useless = !earlier || ['', modelId].includes(earlier.modelId) ? (earlier?.useless ?? 0) : 0
  // The model sees all messages while it writes the summary, so the summary carries all their marks.
  const marks = [...mergeMarks(...sent.map(message => message.marks))]
  const common = { at, focus, tokensBefore: tokens, modelId, byHand, marks }
  const result = async (
    compaction: Omit<StoredCompaction, 'id' | 'tokensAfter' | 'useless'>,
  ): Promise<Omit<StoredCompaction, 'id'>> => {
    const tokensAfter = withOnly(fixed + (await sumTokens(turn, withCompaction(messages, compaction))))
    const isUseless = !byHand && tokensAfter > tokens * USELESS
    return { ...compaction, tokensAfter, useless: isUseless ? useless + 1 : 0 }
  }
  const store = (compaction: Omit<StoredCompaction, 'id'>): CompactionOutcome => {
    const { useless: _useless, modelId: _modelId, byHand: _byHand, ...shown } = ports.keep(compaction)
    ports.scaled?.(scale)
    ports.emit({ type: 'compacted', compaction: shown })
    return 'compacted'
  }

  const { headId: oldHead = plan.headId, upToId: oldUpTo = 0, prunedToId: oldPruned = 0 } = earlier ?? {}
  const summary = earlier?.summary ?? ''
  if (!byHand) {
    const pruning = await result({
      ...common,
      headId: oldHead,
      upToId: oldUpTo,
      prunedToId: Math.max(plan.pruneToId, oldPruned),
      questionId: earlier?.questionId ?? 0,
      summary,
      by: 'pruning',
    })
    const after = counted - (await expectedGain(turn, plan, earlier, summaryShare))
    const pauses = isPaused(ports.recent(MANY_PASSES), at)
    // In a turn in progress, shortened steps are better than a summary that takes nearly as many tokens.
    const isLess = plan.questionId === 0 || tokens - scale * (counted - after) < pruning.tokensAfter * USELESS
    const isWorth = !pauses && plan.middle.length > 0 && after < counted * USELESS && isLess
    // If nothing can be summarised, pruning alone is better than nothing.
    if (pruning.tokensAfter < tokens * USELESS && (!isWorth || pruning.tokensAfter <= trigger * TARGET_SHARE))
      return store(pruning)
    if (!isWorth) return pauses ? 'paused' : 'nothing'
    if (useless >= MAX_USELESS && after > counted * MUCH_GAIN) return 'given_up'
  } else if (plan.middle.length === 0) return 'nothing'

  const { headId, upToId, pruneToId, questionId } = plan
  // A review understands steps only with their question.
  const fromId = Math.min(plan.middle[0]!.id, questionId || Infinity) - 1
  await ports.flushFirst?.({ fromId, upToId, sent, tokens }, signal)
  if (signal.aborted) return 'stopped'
  ports.emit({ type: 'compacting', tokens, contextTokens: turn.contextTokens })
  const written = await summariseMessages(
    turn,
    {
      plan,
      sent,
      tokens,
      earlier,
      focus,
      share: summaryShare,
      mayWait: !byHand,
    },
    signal,
  )
  if (written === undefined) return signal.aborted ? 'stopped' : 'away'
  ports.flush(fromId, upToId)
  const prunedToId = Math.max(upToId, oldPruned)
  const compacted = { ...common, headId, upToId, questionId, prunedToId, ...written }
  const plain = await result(compacted)
  const isTight = !byHand && plain.tokensAfter > trigger * TARGET_SHARE && pruneToId > prunedToId
  return store(isTight ? await result({ ...compacted, prunedToId: pruneToId }) : plain)
}

/** Whether the newest passes followed each other so fast that the next one has to wait. */
function isPaused(recent: readonly number[], now: number): boolean {
  const [newest = 0] = recent
  const first = recent[MANY_PASSES - 1]
  return first !== undefined && newest - first <= SHORT_MS && now - newest < PAUSE_MS
}

type Sizes = { room: number; mostTail: number; firstMessages: number; within?: boolean }

/**
 * Plan what to replace so that about `room` tokens of the conversation remain. These are the beginning, the
 * summary, at most `mostTail` tokens at the end, and the question of a turn whose steps are replaced.
 */
function planOf(
  turn: Asker,
  messages: readonly Message[],
  earlier: StoredCompaction | undefined,
  { room, mostTail, firstMessages, within = false }: Sizes,
): Plan {
  const { contextTokens } = turn
  const pruned = pruneUpTo(messages, earlier?.prunedToId ?? 0)
  const sent = new Map(messages.map((message, at) => [message, pruned[at]!]))
  const cost = (message: Message) => messageTokens(turn, sent.get(message) ?? message, false)
  const options = {
    contextTokens,
    firstMessages,
    cost,
    earlier: earlier?.summary ? earlier : undefined,
    within,
  }
  const before = within ? messages.slice(0, newestQuestion(messages)) : messages
  const ends = headTokens(before, options) + (within ? questionTokens(messages, cost) : 0)
  const free = room - ends - nextSummaryTokens(turn, earlier)
  const tail = Math.min(Math.max(free, contextTokens * MIN_TAIL), mostTail)
  const unpruned = Math.min(Math.max(room, tail), mostTail)
  return planCompaction(messages, { ...options, tail, unpruned })
}
