import type { Review, ReviewCost } from '../../../shared/contract/learned/learning.ts'
import { newId } from '../../lib/ids.ts'
import type { ReviewRow } from '../../db/learning/learning-tables.ts'
import type { Store } from '../../db/store.ts'

/**
 * The result of a review. `again` re-queues it, because the user sent a message or the app quit. `failed` is
 * retried later unless it is `hopeless`.
 */
export type ReviewEnd =
  | {
      end: 'done' | 'failed'
      outcome: string
      cost: ReviewCost | null
      upToId: number
      hopeless?: boolean
      /** The model gave no usable answer. */
      isVoid?: true
    }
  | { end: 'again' }

type Parts = {
  store: Pick<Store['learning'], 'putReview' | 'review' | 'waitingReviews' | 'reviewedUpTo'>
  /** The reason a review must wait, as text for the user; undefined if it may run. */
  blockedReason(review: ReviewRow, requestedByUser: boolean): string | undefined
  /** Whether only reviews requested by the user run. */
  isOff(): boolean
  /** Idle time in ms before a review starts. */
  idleBeforeMs(): number
  run(review: ReviewRow, signal: AbortSignal): Promise<ReviewEnd>
  /** Called after every change, with the review when one was added or ended. */
  onChange(review?: ReviewRow): void
  now(): number
  report(error: unknown): void
  /** Delay in ms before the first retry; doubled for the second. */
  retryMs?: number
}

/** Attempts before a review is given up. */
const MAX_ATTEMPTS = 3
const RETRY_MS = 60_000
/** How often to check whether reviews may run again, in ms. */
const POLL_INTERVAL_MS = 5_000
const GIVEN_UP = 'It could not be finished in three attempts.'

export type ReviewQueue = ReturnType<typeof createReviewQueue>

/**
 * The queue of reviews, kept in the store. They run one at a time while no answer is running: first those
 * that the user requested, then those before a compaction, then the rest by age. A review that was running
 * when the process ended is queued again at the next start, and given up after three such attempts.
 */
export function createReviewQueue(parts: Parts) {
  const { store, blockedReason, isOff, idleBeforeMs, run, onChange, now, report, retryMs = RETRY_MS } = parts
  let running: { review: ReviewRow; stop: AbortController; ended: Promise<void> } | undefined
  let timer: NodeJS.Timeout | undefined
  let quietSince = now()
  let isClosed = false
  /** Ids of reviews that the user requested; they do not wait for idle time. */
  const requested = new Set<string>()
  /** Reviews that a caller waits for, by id. */
  const awaited = new Map<string, AbortController>()
  /** Earliest time for the next attempt, by review id. */
  const notBefore = new Map<string, number>()
  for (const review of store.waitingReviews()) if (review.state === 'running') resumeInterrupted(review)

  function resumeInterrupted(review: ReviewRow): void {
    // Reviews of another agent's work cannot be resumed: their input came from a caller that is gone.
    if (review.sessionId === null) store.putReview({ ...review, state: 'dropped', endedAt: now() })
    else if (review.attempts < MAX_ATTEMPTS) store.putReview({ ...review, state: 'queued' })
    else store.putReview({ ...review, state: 'failed', outcome: GIVEN_UP, endedAt: now() })
  }

  type NewReview = Pick<Review, 'trigger' | 'kinds' | 'upToId'> & { sessionId: string; fromId?: number }

  /** A review that is not stored yet. */
  const newRow = ({ sessionId, trigger, kinds, upToId, fromId }: NewReview): ReviewRow => ({
    id: newId('review', now),
    sessionId,
    trigger,
    kinds,
    state: 'queued',
    upToId,
    fromId: fromId ?? store.reviewedUpTo(sessionId),
    queuedAt: now(),
    startedAt: null,
    endedAt: null,
    attempts: 0,
    outcome: '',
    cost: null,
  })

  function add(review: NewReview): ReviewRow {
    const { sessionId, trigger, upToId } = review
    const isFlush = trigger === 'compaction'
    const same = store
      .waitingReviews()
      .find(
        each =>
          each.state === 'queued' &&
          each.sessionId === sessionId &&
          !isFlush &&
          each.trigger !== 'compaction',
      )
    const kinds = [...new Set([...(same?.kinds ?? []), ...review.kinds])]
    const row: ReviewRow = same
      ? { ...same, kinds, upToId: Math.max(upToId, same.upToId) }
      : newRow({ ...review, kinds })
    if (trigger === 'you') prioritise(row.id)
    store.putReview(row)
    onChange(row)
    schedule()
    return row
  }

  function prioritise(id: string): void {
    requested.add(id)
    notBefore.delete(id)
  }

  /** The queued reviews in the order in which they run. */
  function inOrder(): ReviewRow[] {
    const rank = ({ id, trigger }: ReviewRow) => (requested.has(id) ? 0 : trigger === 'compaction' ? 1 : 2)
    return store
      .waitingReviews()
      .filter(each => each.state === 'queued')
      .toSorted((a, b) => rank(a) - rank(b))
  }

  /** Milliseconds until a review may start, apart from `blockedReason`. */
  function msUntilReady({ id }: ReviewRow): number {
    const quiet = requested.has(id) ? 0 : quietSince + idleBeforeMs()
    return Math.max(0, Math.max(quiet, notBefore.get(id) ?? 0) - now())
  }

  function schedule(ms?: number): void {
    if (isClosed) return
    clearTimeout(timer)
    timer = undefined
    const waits = ms === undefined ? inOrder().map(msUntilReady) : [ms]
    if (waits.length > 0) timer = setTimeout(tick, Math.min(...waits)).unref()
  }

  function tick(): void {
    try {
      startNext()
    } catch (error) {
      // Retry, because a full disk may have room later.
      report(error)
      schedule(POLL_INTERVAL_MS)
    }
  }

  function startNext(): void {
    if (isClosed || running) return
    const waiting = inOrder()
    if (waiting.length === 0) return
    const free = waiting.filter(each => blockedReason(each, requested.has(each.id)) === undefined)
    const ready = free.find(each => msUntilReady(each) === 0)
    if (ready) startReview(ready)
    else schedule(free.length === 0 ? POLL_INTERVAL_MS : Math.min(...free.map(msUntilReady)))
  }

  function startReview(row: ReviewRow): void {
    const stop = new AbortController()
    const review: ReviewRow = { ...row, state: 'running', startedAt: now(), attempts: row.attempts + 1 }
    store.putReview(review)
    const work = async () => {
      let end: ReviewEnd
      try {
        end = await run(review, stop.signal)
      } catch (error) {
        report(error)
        const outcome = 'Something went wrong inside Talaria.'
        end = { end: 'failed', outcome, cost: null, upToId: review.upToId, hopeless: true }
      }
      running = undefined
      try {
        endReview(review, end, stop.signal.aborted)
      } catch (error) {
        report(error)
      }
      schedule()
    }
    running = { review, stop, ended: Promise.resolve().then(work) }
    onChange()
  }

  function endReview(review: ReviewRow, end: ReviewEnd, wasStopped: boolean): void {
    const present = store.review(review.id) ?? review
    if (present.state === 'dropped') return onChange()
    const isOver =
      end.end === 'done' || (end.end === 'failed' && (end.hopeless || present.attempts >= MAX_ATTEMPTS))
    if (end.end !== 'again' && isOver) {
      const { outcome, cost, upToId } = end
      const ended: ReviewRow = { ...present, state: end.end, outcome, cost, upToId, endedAt: now() }
      requested.delete(review.id)
      notBefore.delete(review.id)
      store.putReview(ended)
      return onChange(ended)
    }
    if (end.end === 'failed') {
      notBefore.set(review.id, now() + retryMs * present.attempts)
      store.putReview({ ...present, state: 'queued', outcome: end.outcome })
    } else {
      // A review stopped for the user did not fail, so the attempt does not count.
      const attempts = wasStopped ? present.attempts - 1 : present.attempts
      store.putReview({ ...present, state: 'queued', attempts })
    }
    onChange()
  }

  /** The user is active: restart the idle time, and stop a running review of that chat. */
  function onActivity(sessionId?: string): void {
    quietSince = now()
    if (sessionId !== undefined && running?.review.sessionId === sessionId) running.stop.abort()
    schedule()
  }

  /**
   * Run a review for a waiting caller, although its chat is being answered. If it does not end well, it is
   * queued. If the process ends first, the next start queues it.
   */
  async function runNow(
    row: ReviewRow,
    work: (review: ReviewRow, cancelled: AbortSignal) => Promise<ReviewEnd>,
  ): Promise<ReviewEnd['end']> {
    if (row.sessionId !== null) onActivity(row.sessionId)
    const review: ReviewRow = { ...row, state: 'running', startedAt: now(), attempts: 1 }
    const cancelled = new AbortController()
    awaited.set(row.id, cancelled)
    store.putReview(review)
    onChange()
    let end: ReviewEnd = { end: 'again' }
    try {
      end = await work(review, cancelled.signal)
    } catch (error) {
      report(error)
    }
    awaited.delete(row.id)
    endReview(review, end.end === 'done' ? end : { end: 'again' }, true)
    schedule()
    return end.end
  }

  schedule()
  return {
    add,
    newRow,
    runNow,
    onActivity,
    /** Settings changed: stop a review that is now off, and check the others again. */
    wake() {
      if (running && !requested.has(running.review.id) && isOff()) running.stop.abort()
      schedule()
    },
    /** Run all queued reviews as soon as no answer is running. */
    prioritiseAll() {
      for (const { id } of inOrder()) prioritise(id)
      schedule()
    },
    cancel(id: string, outcome = 'You cancelled it.'): boolean {
      const review = store.review(id)
      if (!review || !['queued', 'running'].includes(review.state)) return false
      const dropped: ReviewRow = { ...review, state: 'dropped', outcome, endedAt: now() }
      requested.delete(id)
      notBefore.delete(id)
      store.putReview(dropped)
      if (running?.review.id === id) running.stop.abort()
      awaited.get(id)?.abort()
      onChange(dropped)
      return true
    },
    get running() {
      return running?.review.id
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      running?.stop.abort()
      await running?.ended
    },
  }
}
