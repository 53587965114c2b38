import type { Review } from '../../../shared/contract/learned/learning.ts'
import type { Message } from '../../../shared/contract/chats/messages.ts'
import type { Flush, FlushEnd } from '../../agent/compaction/compact-history.ts'
import { isGuided } from '../../agent/guide.ts'
import type { PreparedTurn, TurnPorts } from '../../agent/turn-types.ts'
import type { ReviewRow } from '../../db/learning/learning-tables.ts'
import type { Store } from '../../db/store.ts'
import { isFailure, type EngineFailure } from '../../models/interface/engine.ts'
import { flushPrompt } from './review-prompts.ts'
import type { ReviewEnd, ReviewQueue } from './review-queue.ts'
import { shortReplyTokens } from './review-turn.ts'
import type { ReviewInput } from './run-review.ts'
import { byCount } from '../../../shared/text/amounts.ts'

/** A review of messages that a summary is about to replace, while a caller waits for it. */
export type AwaitedFlush = Flush & {
  /** The turn that the chat is being answered with. */
  turn: PreparedTurn
  /** A turn waits for this review, so it may only ask the model one short question. */
  isShort: boolean
  /** Called when the review starts. */
  begun(): void
  emit: TurnPorts['emit']
  /** Aborted when the user skips it. */
  skip: AbortSignal
}

type Parts = {
  store: Store['learning']
  queue: Pick<ReviewQueue, 'add' | 'newRow' | 'runNow' | 'cancel'>
  /** Whether the review of messages before a summary is off. */
  isOff(): boolean
  /** The kinds of things that may be learned from chats. */
  mayLearn(): Review['kinds']
  inputFor(what: { review: ReviewRow }): Promise<ReviewInput | EngineFailure>
  run(review: ReviewRow, input: ReviewInput | EngineFailure, signal: AbortSignal): Promise<ReviewEnd>
}

/** Maximum duration of a short review, in ms. Reviews that take longer, or are expected to, are queued. */
const SHORT_MS = 30_000
const WAITS = new Set<Review['state']>(['queued', 'running'])

/**
 * Create the reviews before a summary. At most one of them reads each message: immediately if a caller waits
 * and the model can do it, otherwise from the queue. A started review is queued, so a skip, a failure or a
 * crash loses nothing.
 */
export function createFlushes({ store, queue, isOff, mayLearn, inputFor, run }: Parts) {
  /**
   * Id of the newest message that a review of this kind has read. Only finished reviews count: a queued one
   * would read the summary, like the chat itself. A review for a compaction keeps its own range and kinds.
   */
  const readUpTo = (sessionId: string, kind: Review['kinds'][number]): number =>
    store
      .reviewsOf(sessionId)
      .filter(({ state, trigger, kinds }) =>
        trigger === 'compaction'
          ? kinds.includes(kind) && (state === 'done' || WAITS.has(state))
          : state === 'done',
      )
      .reduce((most, each) => Math.max(most, each.upToId), 0)

  /** The part of a range that still needs a review; undefined if these kinds were reviewed. */
  function leftOf(
    sessionId: string,
    { fromId, upToId }: Pick<Flush, 'fromId' | 'upToId'>,
    of: Review['kinds'],
  ) {
    const kinds = isOff() ? [] : of.filter(kind => readUpTo(sessionId, kind) < upToId)
    if (kinds.length === 0) return undefined
    const read = Math.min(...kinds.map(kind => readUpTo(sessionId, kind)))
    return { sessionId, trigger: 'compaction' as const, kinds, upToId, fromId: Math.max(fromId, read) }
  }

  return {
    /** Queue a review of these messages ahead of all others. */
    queue(sessionId: string, fromId: number, upToId: number): void {
      const left = leftOf(sessionId, { fromId, upToId }, ['memory', 'skills'])
      if (left) queue.add(left)
    },

    /** Review these messages now. Undefined if the review was left to the queue. */
    async now(flush: AwaitedFlush, signal: AbortSignal): Promise<FlushEnd | undefined> {
      const { turn, isShort, sent, skip } = flush
      const kinds = mayLearn().filter(kind => kind === 'memory' || !isShort)
      const left = leftOf(turn.sessionId, flush, kinds)
      if (!left) return undefined
      // A review by rules is quick and not urgent, so it runs from the queue right after this turn.
      if ((await isGuided(turn)) || (isShort && !canBeShort(flush))) return undefined
      const review = queue.newRow(left)
      const input = await inputFor({ review })
      if (isFailure(input) || signal.aborted) return undefined
      // A different model for reviews would have to read everything first.
      const isOwn = input.turn.engine.modelId === turn.engine.modelId
      if (isShort && !isOwn) return undefined

      const counts = { saved: 0, proposed: 0 }
      const emit: TurnPorts['emit'] = event => {
        if (event.type !== 'memory' && event.type !== 'skills') return
        // A proposal is reported to the model as a change without an id.
        const saved = event.revisions.filter(({ id }) => id > 0)
        counts.saved += saved.length
        counts.proposed += event.revisions.length - saved.length
        if (saved.length > 0) flush.emit({ ...event, revisions: saved } as typeof event)
      }
      const given = { ...input, ...(isOwn && { turn, messages: sent }), awaited: { isShort, emit } }
      const late = isShort ? [AbortSignal.timeout(SHORT_MS)] : []
      const stop = AbortSignal.any([signal, skip, ...late])
      flush.begun()
      const end = await queue.runNow(review, (row, cancelled) =>
        run(row, given, AbortSignal.any([stop, cancelled])),
      )
      // The turn was stopped, so no message is replaced and nothing is lost.
      if (signal.aborted && counts.saved + counts.proposed === 0) queue.cancel(review.id, STOPPED)
      if (end !== 'done') return skip.aborted ? SKIPPED : FAILED
      return { end, text: proposedText(counts.proposed) }
    },
  }
}

const STOPPED = 'It was stopped with its summary.'
const SKIPPED: FlushEnd = {
  end: 'skipped',
  text: 'Skipped. Talaria reviews the older messages later, in the background.',
}
const FAILED: FlushEnd = {
  end: 'failed',
  text: 'Talaria could not review the older messages now. It reviews them later, in the background.',
}

/** Proposals as text. Saved changes are shown separately. */
function proposedText(proposed: number): string {
  if (proposed === 0) return ''
  const what = byCount(proposed, 'a proposal that waits', `${proposed} proposals that wait`)
  return `The older messages led to ${what} for your decision.`
}

/** Whether one short question will do: the chat's model can save, the question fits, and it is fast. */
function canBeShort({ turn, sent, tokens }: AwaitedFlush): boolean {
  const asked = turn.engine.count(flushPrompt({ rules: [] }))
  const reply = shortReplyTokens(sent)
  return (
    turn.tools.some(tool => tool.name === 'memory') &&
    tokens + asked + reply <= turn.contextTokens &&
    expectedMs(sent, asked, reply) <= SHORT_MS
  )
}

/** The expected time for a question and its reply at the speed of the newest reply, in ms; 0 if unknown. */
function expectedMs(sent: readonly Message[], asked: number, reply: number): number {
  const last = sent.findLast(message => message.role === 'assistant' && message.usage !== undefined)
  if (last?.role !== 'assistant' || !last.usage) return 0
  const { prefillPerSecond, tokensPerSecond } = last.usage
  const seconds = (tokens: number, speed: number) => (speed > 0 ? tokens / speed : 0)
  return 1_000 * (seconds(asked, prefillPerSecond) + seconds(reply, tokensPerSecond))
}
