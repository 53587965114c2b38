import type { LearningEvent, Proposal, Review } from '../../shared/contract/learning.ts'
import type { Message } from '../../shared/contract/messages.ts'
import { newId } from '../lib/ids.ts'
import type { EngineFailure } from '../llm/engine.ts'
import type { ReviewRow, Store } from '../store/types.ts'
import { createCounters, type Due, type Nudges } from './counters.ts'
import { messagesOf } from './events-of.ts'
import type { ReviewEnd } from './queue.ts'
import type { Subject } from './run-review.ts'

export type FeedStep =
  | { type: 'review'; session: string; trigger: Review['trigger']; done: number; total: number }
  | { type: 'proposal'; proposal: Proposal }
  | { type: 'done'; reviews: number; proposals: number }

type Parts = {
  store: Pick<Store['learning'], 'putReview' | 'review'>
  nudges(): Nudges
  /** What a model would read of such a conversation. */
  subjectOf(messages: readonly Message[]): Promise<Subject | EngineFailure>
  run(review: ReviewRow, subject: Subject | EngineFailure): Promise<ReviewEnd & { proposed: string[] }>
  shown(proposalId: string): Proposal
  now(): number
}

/**
 * Learn from what another agent did: the same counters decide when a review is due, and the same reviews propose. A session
 * that ends with the file has come to its end, so what is left of it is reviewed too.
 */
export async function* feedEvents(
  { store, nudges, subjectOf, run, shown, now }: Parts,
  events: readonly LearningEvent[],
  signal: AbortSignal,
): AsyncGenerator<FeedStep> {
  const wanted = dueIn(events, nudges)
  const proposed = new Set<string>()
  let done = 0
  for (const { session, trigger, kinds, seen, from, to } of wanted) {
    if (signal.aborted) return
    yield { type: 'review', session, trigger, done: done++, total: wanted.length }
    const messages = messagesOf(seen.slice(0, to))
    const review: ReviewRow = {
      id: newId('review', now),
      sessionId: null,
      trigger: 'events',
      kinds,
      state: 'running',
      upToId: messages.length,
      fromId: messagesOf(seen.slice(0, from)).length,
      queuedAt: now(),
      startedAt: now(),
      endedAt: null,
      attempts: 1,
      outcome: '',
      cost: null,
    }
    store.putReview(review)
    let end: Awaited<ReturnType<typeof run>> = { end: 'again', proposed: [] }
    try {
      end = await run(review, await subjectOf(messages))
    } finally {
      if (store.review(review.id)?.state === 'running') store.putReview(asEnded(review, end, now()))
    }
    for (const id of end.proposed) {
      proposed.add(id)
      yield { type: 'proposal', proposal: shown(id) }
    }
    if (signal.aborted) return
  }
  yield { type: 'done', reviews: wanted.length, proposals: proposed.size }
}

/** There is nobody who could give the events again, so what was broken off is over. */
const asEnded = (review: ReviewRow, end: ReviewEnd, endedAt: number): ReviewRow =>
  end.end === 'again'
    ? { ...review, state: 'dropped', outcome: 'It was broken off.', endedAt }
    : { ...review, state: end.end, outcome: end.outcome, cost: end.cost, endedAt }

/** A review that is due after the first `to` of the events of a session; the one before it has seen `from`. */
type Wanted = Due & { seen: readonly LearningEvent[]; from: number; to: number }

function dueIn(events: readonly LearningEvent[], nudges: () => Nudges): Wanted[] {
  const counters = createCounters(nudges)
  const sessions = new Map<string, { seen: LearningEvent[]; reviewed: number }>()
  const wanted: Wanted[] = []
  function take(event: LearningEvent): void {
    const own = sessions.get(event.session) ?? { seen: [], reviewed: 0 }
    sessions.set(event.session, own)
    // An agent need not say that a turn is over; where its session ends, it is.
    const turnEnd: LearningEvent = { type: 'turn_end', session: event.session, at: event.at, reason: 'done' }
    for (const each of event.type === 'session_end' ? [turnEnd, event] : [event]) {
      const dues = counters.observe(each)
      // What ends a turn by speaking again is not a part of it.
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
