import type { Message } from '../../../shared/contract/messages.ts'
import type { Compaction } from '../../../shared/contract/session.ts'
import { engineScale, fixedCost, messageTokens, tokensOf } from '../fit.ts'
import type { Turn, TurnPorts } from '../turn.ts'
import { withCompaction } from './apply.ts'
import { countOnce } from './count-once.ts'
import { headTokens, planCompaction, tailTokens, type Plan } from './plan.ts'
import { pruned } from './prune.ts'
import { isNear, promptTokens, triggerTokens } from './room.ts'
import { expectedGain, nextSummaryTokens, summarise } from './summarise.ts'

export type Asker = Pick<Turn, 'engine' | 'system' | 'contextTokens' | 'tools' | 'strategy' | 'sessionId'>
export type Kept = Compaction & { useless: number }

export type CompactPorts = {
  /** The messages of the chat that no summary stands for yet, in order. */
  messages(): readonly Message[]
  newest(): Kept | undefined
  /** Make it hold, from the next prompt on. */
  keep(compaction: Omit<Kept, 'id'>): Kept
  emit: TurnPorts['emit']
  /** What is about to be taken away is to be reviewed later. */
  flush(fromId: number, upToId: number): void
  /** Told how many tokens of the engine an estimated one is, where the engine has counted before this pass. */
  scaled?(scale: number): void
  now(): number
}

export type CompactOptions = {
  /** Share of the window from which on it is done; 1 is never. */
  trigger: number
  /** The person asked for it, so it is done whatever the tokens are. */
  byHand: boolean
  focus: string
  /** Messages before this one were left out of the last prompt, because they did not fit. */
  firstId?: number
}

/** `nothing`: there is nothing between the two ends of the chat, or too little to be worth it. */
export type Outcome = 'enough' | 'near' | 'compacted' | 'nothing' | 'given_up' | 'stopped'

/** Share of the trigger that is aimed at, so that the next turns have room and the evaluated prefix stays. */
const AIM = 0.8
/** However little room there is, this share of the window stays of the end. */
const LEAST_TAIL = 0.1
/** Of a chat that is compacted by hand this share stays at most, however short the chat is. */
const TAIL_BY_HAND = 0.3
/** A pass that leaves more than this share has made hardly any room; after two of them only one that promises much is tried. */
const USELESS = 0.9
const MOST_USELESS = 2
const MUCH = 0.75

/**
 * Make room in a chat when its prompt has grown beyond the trigger: old results become one line; if that is not enough, what
 * lies between the first exchange and the newest messages is replaced by a summary, which later passes extend. Without an
 * answer of the model the summary is put together without one. No message is ever lost: they stay in the chat, and can be found.
 */
export async function makeRoom(
  given: Asker,
  ports: CompactPorts,
  { trigger: share, byHand, focus, firstId }: CompactOptions,
  signal: AbortSignal,
): Promise<Outcome> {
  if (!byHand && share >= 1) return 'enough'
  const turn = countOnce(given)
  const messages = ports.messages()
  const earlier = ports.newest()
  const sent = withCompaction(messages, earlier)
  const tokens = promptTokens(turn, sent, earlier?.at, firstId)
  const fixed = fixedCost(turn)
  const counted = fixed + tokensOf(turn, sent)
  const scale = engineScale(turn, sent, earlier?.at ?? 0) ?? 1
  /** Tokens of the engine when so many estimated ones are left; what is around the messages stays in any case. */
  const withOnly = (estimated: number) => Math.max(0, Math.round(tokens - scale * (counted - estimated)))
  const trigger = triggerTokens(turn.contextTokens, share, withOnly(fixed))
  if (!byHand && tokens <= trigger) return isNear(tokens, trigger, sent) ? 'near' : 'enough'

  const plan = planOf(turn, messages, earlier, {
    room: (trigger * AIM - withOnly(fixed)) / scale,
    mostTail: byHand ? (counted - fixed) * TAIL_BY_HAND : tailTokens(turn.contextTokens),
  })
  const common = { at: ports.now(), focus, tokensBefore: tokens }
  const result = (compaction: Omit<Kept, 'id' | 'tokensAfter' | 'useless'>): Omit<Kept, 'id'> => {
    const tokensAfter = withOnly(fixed + tokensOf(turn, withCompaction(messages, compaction)))
    const isUseless = !byHand && tokensAfter > tokens * USELESS
    return { ...compaction, tokensAfter, useless: isUseless ? (earlier?.useless ?? 0) + 1 : 0 }
  }
  const keep = (compaction: Omit<Kept, 'id'>): Outcome => {
    const { useless: _useless, ...shown } = ports.keep(compaction)
    ports.scaled?.(scale)
    ports.emit({ type: 'compacted', compaction: shown })
    return 'compacted'
  }

  const { headId: oldHead = plan.headId, upToId: oldUpTo = 0, prunedToId: oldPruned = 0 } = earlier ?? {}
  const summary = earlier?.summary ?? ''
  if (!byHand) {
    const pruning = result({
      ...common,
      headId: oldHead,
      upToId: oldUpTo,
      prunedToId: Math.max(plan.pruneToId, oldPruned),
      summary,
      by: 'pruning',
    })
    const after = counted - expectedGain(turn, plan, earlier)
    const isWorth = plan.middle.length > 0 && after < counted * USELESS
    // Without anything to summarise, what pruning gives is better than nothing.
    if (pruning.tokensAfter < tokens * USELESS && (!isWorth || pruning.tokensAfter <= trigger * AIM))
      return keep(pruning)
    if (!isWorth) return 'nothing'
    if ((earlier?.useless ?? 0) >= MOST_USELESS && after > counted * MUCH) return 'given_up'
  } else if (plan.middle.length === 0) return 'nothing'

  ports.emit({ type: 'compacting', tokens, contextTokens: turn.contextTokens })
  const written = await summarise(turn, { plan, sent, tokens, earlier, focus }, signal)
  if (written === undefined) return 'stopped'
  const { headId, upToId, pruneToId } = plan
  ports.flush(plan.middle[0]!.id - 1, upToId)
  const compacted = { ...common, headId, upToId, prunedToId: Math.max(upToId, oldPruned), ...written }
  const plain = result(compacted)
  const isTight = !byHand && plain.tokensAfter > trigger * AIM && pruneToId > compacted.prunedToId
  return keep(isTight ? result({ ...compacted, prunedToId: pruneToId }) : plain)
}

/**
 * What can be replaced, so that about `room` tokens of the conversation are left: its beginning, the summary, and an end of at
 * most `mostTail`.
 */
function planOf(
  turn: Asker,
  messages: readonly Message[],
  earlier: Kept | undefined,
  { room, mostTail }: { room: number; mostTail: number },
): Plan {
  const { contextTokens } = turn
  const prunedToId = earlier?.prunedToId ?? 0
  const options = {
    contextTokens,
    cost: (message: Message) =>
      messageTokens(turn, message.id <= prunedToId ? pruned(message) : message, false),
    earlier: earlier?.summary ? earlier : undefined,
  }
  const free = room - headTokens(messages, options) - nextSummaryTokens(turn, earlier)
  const tail = Math.min(Math.max(free, contextTokens * LEAST_TAIL), mostTail)
  const unpruned = Math.min(Math.max(room, tail), mostTail)
  return planCompaction(messages, { ...options, tail, unpruned })
}
