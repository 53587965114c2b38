import type { LearningEvent, LearnStep, Proposal } from '../../../shared/contract/learned/learning.ts'
import type { Message } from '../../../shared/contract/chats/messages.ts'
import { newId } from '../../lib/ids.ts'
import type { EngineFailure } from '../../models/interface/engine.ts'
import type { ForeignSource, ReviewRow } from '../../db/learning/learning-tables.ts'
import type { Store } from '../../db/store.ts'
import { createCounters, type Due, type Nudges } from '../reviews/review-counters.ts'
import { messagesOf } from '../reviews/learning-events.ts'
import type { ReviewEnd } from '../reviews/review-queue.ts'
import type { ReviewInput } from '../reviews/run-review.ts'
import type { WhoseWords } from '../reviews/whose-words.ts'

/** Dependencies of reviews outside chats. */
export type OutsideParts = {
  store: Pick<Store['learning'], 'putReview' | 'review'>
  /** Get the input for reviewing these messages, from a session in this folder if it is known. */
  inputFor(messages: readonly Message[], folder?: string): Promise<ReviewInput | EngineFailure>
  run(
    review: ReviewRow,
    input: ReviewInput | EngineFailure,
    whoseWords?: WhoseWords,
  ): Promise<ReviewEnd & { proposed: string[] }>
  shown(proposalId: string): Proposal
  now(): number
}

/**
 * Learn from another agent's work, given as events. The same counters decide when a review is due, and the
 * same reviews make proposals. A session that ends with the input counts as ended, so all of it is reviewed.
 */
export async function* reviewOtherAgents(
  parts: OutsideParts & { nudges(): Nudges },
  events: readonly LearningEvent[],
  signal: AbortSignal,
): AsyncGenerator<LearnStep> {
  const wanted = dueIn(events, parts.nudges).map(({ seen, from, to, ...due }) => ({
    ...due,
    messages: messagesOf(seen.slice(0, to)),
    fromId: messagesOf(seen.slice(0, from)).length,
  }))
  yield* runReviews(parts, 'events', wanted, signal)
}

/** A review to run. The optional fields are for other programs' sessions. One no longer due is skipped. */
export type WantedReview = Due & {
  messages: readonly Message[]
  fromId: number
  foreign?: ForeignSource
  whoseWords?: WhoseWords
  isDue?(): boolean
  onEnd?(end: ReviewEnd): void
}

/** Run reviews outside chats, one after the other. Proposals are based on the messages after `fromId`. */
export async function* runReviews(
  { store, inputFor, run, shown, now }: OutsideParts,
  source: 'events' | 'text',
  wanted: readonly WantedReview[],
  signal: AbortSignal,
  /** The number of reviews postponed to another day. */
  waiting?: number,
): AsyncGenerator<LearnStep> {
  const proposed = new Set<string>()
  let done = 0
  for (const { session, trigger, kinds, messages, fromId, foreign, whoseWords, isDue, onEnd } of wanted) {
    if (signal.aborted) return
    if (isDue?.() === false) continue
    const from = foreign && { from: { agent: foreign.agent, folder: foreign.folder, at: foreign.at } }
    yield { type: 'review', session, trigger, ...from, done: done++, total: wanted.length }
    const review: ReviewRow = {
      id: newId('review', now),
      sessionId: null,
      trigger: source,
      kinds,
      state: 'running',
      upToId: messages.length,
      fromId,
      queuedAt: now(),
      startedAt: now(),
      endedAt: null,
      attempts: 1,
      outcome: '',
      cost: null,
      ...(foreign && { foreign }),
    }
    store.putReview(review)
    let end: Awaited<ReturnType<typeof run>> = { end: 'again', proposed: [] }
    try {
      end = await run(review, await inputFor(messages, foreign?.folder), whoseWords)
    } finally {
      if (store.review(review.id)?.state === 'running') store.putReview(asEnded(review, end, now()))
      onEnd?.(end)
    }
    for (const id of end.proposed) {
      proposed.add(id)
      yield { type: 'proposal', proposal: shown(id) }
    }
    if (signal.aborted) return
    if (end.end !== 'again') yield { type: 'reviewed', ended: end.end, outcome: end.outcome, cost: end.cost }
  }
  const left = waiting === undefined ? {} : { waiting }
  yield { type: 'done', reviews: wanted.length, proposals: proposed.size, ...left }
}

/** The events cannot be requested again, so an interrupted review is dropped. */
const asEnded = (review: ReviewRow, end: ReviewEnd, endedAt: number): ReviewRow =>
  end.end === 'again'
    ? { ...review, state: 'dropped', outcome: 'It was broken off.', endedAt }
    : { ...review, state: end.end, outcome: end.outcome, cost: end.cost, endedAt }

/** A review due after the first `to` events of a session; the previous one covered events up to `from`. */
type Wanted = Due & { seen: readonly LearningEvent[]; from: number; to: number }

function dueIn(events: readonly LearningEvent[], nudges: () => Nudges): Wanted[] {
  const counters = createCounters(nudges)
  const sessions = new Map<string, { seen: LearningEvent[]; reviewed: number }>()
  const wanted: Wanted[] = []
  function take(event: LearningEvent): void {
    const own = sessions.get(event.session) ?? { seen: [], reviewed: 0 }
    sessions.set(event.session, own)
    // Agents need not report the end of a turn; the end of the session implies it.
    const turnEnd: LearningEvent = { type: 'turn_end', session: event.session, at: event.at, reason: 'done' }
    for (const each of event.type === 'session_end' ? [turnEnd, event] : [event]) {
      const dues = counters.observe(each)
      // A user message that ends the previous turn is not part of it.
      const to = each.type === 'user_message' ? own.seen.length : own.seen.push(each)
      if (each.type === 'user_message') own.seen.push(each)
      for (const due of dues) {
        wanted.push({ ...due, seen: own.seen, from: own.reviewed, to })
        own.reviewed = to
      }
    }
  }
  for (const event of events) take(event)
  for (const [session, { seen }] of sessions) {
    const last = seen.at(-1)!
    if (last.type !== 'session_end') take({ type: 'session_end', session, at: last.at })
  }
  return wanted
}
