import type { Review, ReviewCost } from '../../shared/contract/learning.ts'
import { newId } from '../lib/ids.ts'
import type { ReviewRow, Store } from '../store/types.ts'

/**
 * What came of a review that was begun. `again` puts it back: the person spoke, or the program ended. What failed is tried
 * again later, unless that is `hopeless`.
 */
export type ReviewEnd =
  | { end: 'done' | 'failed'; outcome: string; cost: ReviewCost | null; upToId: number; hopeless?: boolean }
  | { end: 'again' }

type Parts = {
  store: Pick<Store['learning'], 'putReview' | 'review' | 'waitingReviews' | 'reviewedUpTo'>
  /** Why a review may not run now, in words; undefined when it may. The person may have asked for it. */
  held(review: ReviewRow, isAsked: boolean): string | undefined
  /** Whether only what the person asks for is reviewed. */
  isOff(): boolean
  /** Milliseconds that must pass quietly before one begins. */
  quietMs(): number
  run(review: ReviewRow, signal: AbortSignal): Promise<ReviewEnd>
  /** Told of every change; with a review when it was added or ended. */
  onChange(review?: ReviewRow): void
  now(): number
  report(error: unknown): void
  /** Milliseconds before what has failed once is tried again; twice that after the second time. */
  retryMs?: number
}

/** A review that was begun so often without a good end is given up. */
const MOST_ATTEMPTS = 3
const RETRY_MS = 60_000
/** How often it is looked again whether what held reviews back is over, in milliseconds. */
const LOOK_AGAIN_MS = 5_000
const GIVEN_UP = 'It could not be finished in three tries.'

export type ReviewQueue = ReturnType<typeof createReviewQueue>

/**
 * Reviews that wait, kept in the store, run one at a time while nobody is being answered: those that the person asked for
 * first, then those before a summary, the others by age. One that was running when the process ended waits again after the
 * next start; one that has ended three processes that way is given up.
 */
export function createReviewQueue(parts: Parts) {
  const { store, held, isOff, quietMs, run, onChange, now, report, retryMs = RETRY_MS } = parts
  let running: { review: ReviewRow; stop: AbortController; ended: Promise<void> } | undefined
  let timer: NodeJS.Timeout | undefined
  let quietSince = now()
  let isClosed = false
  /** Asked for by the person, so they wait for no quiet. */
  const asked = new Set<string>()
  /** When what has failed may be tried again. */
  const notBefore = new Map<string, number>()
  for (const review of store.waitingReviews()) if (review.state === 'running') takeUp(review)

  function takeUp(review: ReviewRow): void {
    // What another agent did was given by whoever waited for it; nobody can give it again.
    if (review.sessionId === null) store.putReview({ ...review, state: 'dropped', endedAt: now() })
    else if (review.attempts < MOST_ATTEMPTS) store.putReview({ ...review, state: 'queued' })
    else store.putReview({ ...review, state: 'failed', outcome: GIVEN_UP, endedAt: now() })
  }

  function add(
    review: Pick<Review, 'trigger' | 'kinds' | 'upToId'> & { sessionId: string; fromId?: number },
  ): ReviewRow {
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
      : {
          id: newId('review', now),
          sessionId,
          trigger,
          kinds,
          state: 'queued',
          upToId,
          fromId: review.fromId ?? store.reviewedUpTo(sessionId),
          queuedAt: now(),
          startedAt: null,
          endedAt: null,
          attempts: 0,
          outcome: '',
          cost: null,
        }
    if (trigger === 'you') hurry(row.id)
    store.putReview(row)
    onChange(row)
    soon()
    return row
  }

  function hurry(id: string): void {
    asked.add(id)
    notBefore.delete(id)
  }

  /** The queued ones, in the order in which they run. */
  function line(): ReviewRow[] {
    const rank = ({ id, trigger }: ReviewRow) => (asked.has(id) ? 0 : trigger === 'compaction' ? 1 : 2)
    return store
      .waitingReviews()
      .filter(each => each.state === 'queued')
      .toSorted((a, b) => rank(a) - rank(b))
  }

  /** Milliseconds until a review may begin, apart from what holds it. */
  function waitFor({ id }: ReviewRow): number {
    const quiet = asked.has(id) ? 0 : quietSince + quietMs()
    return Math.max(0, Math.max(quiet, notBefore.get(id) ?? 0) - now())
  }

  function soon(ms?: number): void {
    if (isClosed) return
    clearTimeout(timer)
    timer = undefined
    const waits = ms === undefined ? line().map(waitFor) : [ms]
    if (waits.length > 0) timer = setTimeout(tick, Math.min(...waits)).unref()
  }

  function tick(): void {
    try {
      next()
    } catch (error) {
      // A disk that is full now may not be so later.
      report(error)
      soon(LOOK_AGAIN_MS)
    }
  }

  function next(): void {
    if (isClosed || running) return
    const waiting = line()
    if (waiting.length === 0) return
    const free = waiting.filter(each => held(each, asked.has(each.id)) === undefined)
    const ready = free.find(each => waitFor(each) === 0)
    if (ready) begin(ready)
    else soon(free.length === 0 ? LOOK_AGAIN_MS : Math.min(...free.map(waitFor)))
  }

  function begin(row: ReviewRow): void {
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
        settle(review, end, stop.signal.aborted)
      } catch (error) {
        report(error)
      }
      soon()
    }
    running = { review, stop, ended: Promise.resolve().then(work) }
    onChange()
  }

  function settle(review: ReviewRow, end: ReviewEnd, wasStopped: boolean): void {
    const present = store.review(review.id) ?? review
    if (present.state === 'dropped') return onChange()
    const isOver =
      end.end === 'done' || (end.end === 'failed' && (end.hopeless || present.attempts >= MOST_ATTEMPTS))
    if (end.end !== 'again' && isOver) {
      const { outcome, cost, upToId } = end
      const ended: ReviewRow = { ...present, state: end.end, outcome, cost, upToId, endedAt: now() }
      asked.delete(review.id)
      notBefore.delete(review.id)
      store.putReview(ended)
      return onChange(ended)
    }
    if (end.end === 'failed') {
      notBefore.set(review.id, now() + retryMs * present.attempts)
      store.putReview({ ...present, state: 'queued', outcome: end.outcome })
    } else {
      // Whoever makes way for the person has not failed.
      const attempts = wasStopped ? present.attempts - 1 : present.attempts
      store.putReview({ ...present, state: 'queued', attempts })
    }
    onChange()
  }

  soon()
  return {
    add,
    /** Somebody is at work: what waits goes on waiting, and a review of that chat makes way. */
    disturb(sessionId?: string) {
      quietSince = now()
      if (sessionId !== undefined && running?.review.sessionId === sessionId) running.stop.abort()
      soon()
    },
    /** What was switched off meanwhile stops; the rest is looked at again. */
    wake() {
      if (running && !asked.has(running.review.id) && isOff()) running.stop.abort()
      soon()
    },
    /** Run what waits as soon as nobody is being answered. */
    hurryAll() {
      for (const { id } of line()) hurry(id)
      soon()
    },
    cancel(id: string): boolean {
      const review = store.review(id)
      if (!review || !['queued', 'running'].includes(review.state)) return false
      const dropped: ReviewRow = { ...review, state: 'dropped', outcome: 'You cancelled it.', endedAt: now() }
      asked.delete(id)
      notBefore.delete(id)
      store.putReview(dropped)
      if (running?.review.id === id) running.stop.abort()
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
