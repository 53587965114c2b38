import { realpath } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { nameAgent } from '../../../shared/words/agent-names.ts'
import type { LearnStep, Review } from '../../../shared/contract/learned/learning.ts'
import { Fault } from '../../../shared/rpc.ts'
import type { ForeignEvent, ForeignSession, ForeignStore } from '../../db/learning/foreign-tables.ts'
import type { LearningStore } from '../../db/learning/learning-tables.ts'
import { debounce, letOthersRun } from '../../lib/timing.ts'
import type { Nudges } from '../reviews/review-counters.ts'
import { FOREIGN_KINDS, foreignDues, type ForeignDue, isForeignOver } from './foreign-due.ts'
import { foreignMessages } from './foreign-messages.ts'
import { type OutsideParts, runReviews, type WantedReview } from './review-other-agents.ts'
import type { ReviewEnd } from '../reviews/review-queue.ts'
import { judgeForeignWords } from '../reviews/whose-words.ts'

type Parts = {
  foreign: Pick<ForeignStore, 'get' | 'unreviewed' | 'events' | 'reviewed'>
  store: Pick<LearningStore, 'foreignReviews' | 'review' | 'putReview' | 'waitingReviews'>
  settings(): { foreign_reviews_a_day: number; end_minutes: number; idle_seconds: number }
  nudges(): Nudges
  /** Whether learning is off, and whether automatic reviews must wait. */
  isOff(): boolean
  isHeld(): boolean
  outside(modelId: string | undefined, signal: AbortSignal): OutsideParts
  /** Called when an automatic review has ended. */
  onEnd(end: ReviewEnd): void
  onChange(): void
  now(): number
  report(error: unknown): void
}

/** How often to look for sessions to review, in ms, and how soon to look after new events. */
const POLL_INTERVAL_MS = 60_000
const SOON = { idleMs: 200, maxMs: 2_000 }
const DAY_MS = 24 * 60 * 60_000
/** Older sessions are reviewed only if they were imported. */
const MAX_AGE_MS = 7 * DAY_MS
/** Maximum number of sessions to look at, and of bytes to read per session, the newest first. */
const MOST_SESSIONS = 2_000
const MOST_BYTES = 2_000_000
/** Attempts at a session before it is skipped until the next start. */
const MAX_ATTEMPTS = 3
/** Pause after a failure, usually of the model, in ms. It doubles each time, up to the maximum. */
const RETRY_MS = 60_000
const MOST_RETRY_MS = 60 * 60_000

type Found = { session: ForeignSession; events: readonly ForeignEvent[]; due: ForeignDue }
type Running = { stop: AbortController; isCancelled: boolean; ended: Promise<void>; isAwaited: boolean }

/**
 * Review sessions that other programs reported or that were imported, one at a time, while no answer is
 * running. The newest come first, within a daily budget. Progress is stored when a review ends, so a restart
 * repeats at most one review.
 */
export function createForeignReviews(parts: Parts) {
  const { foreign, store, settings, isOff, isHeld, outside, onEnd, onChange, now, report } = parts
  let quietSince = now()
  let notBefore = 0
  let failures = 0
  let isClosed = false
  let running: Running | undefined
  let later: NodeJS.Timeout | undefined
  const attempts = new Map<string, number>()
  /** Sessions that need no review, with the state on which that was decided. */
  const judged = new Map<string, string>()

  const budgetLeft = () =>
    Math.max(0, settings().foreign_reviews_a_day - store.foreignReviews(now() - DAY_MS))
  const isOver = (session: ForeignSession) =>
    isForeignOver(session, { now: now(), endMinutes: settings().end_minutes })

  /** A user who imports a session wants to learn from it, however short it is. */
  function nudgesFor({ isImported }: ForeignSession): Nudges {
    const nudges = parts.nudges()
    return isImported ? { ...nudges, endTurns: Math.min(1, nudges.endTurns) } : nudges
  }

  function duesOf(session: ForeignSession): { events: ForeignEvent[]; dues: ForeignDue[] } {
    const events = foreign.events(session.id, MOST_BYTES)
    const state = { reviewedTo: session.reviewedTo, isOver: isOver(session) }
    return { events, dues: foreignDues(events, state, nudgesFor(session)) }
  }

  /** Find the newest session with a due review. */
  async function findNext(): Promise<Found | undefined> {
    const since = now() - MAX_AGE_MS
    for (const session of foreign.unreviewed({ since, limit: MOST_SESSIONS })) {
      if ((attempts.get(session.id) ?? 0) >= MAX_ATTEMPTS) continue
      const state = JSON.stringify([session.newest, session.reviewedTo, isOver(session), parts.nudges()])
      if (judged.get(session.id) === state) continue
      await letOthersRun()
      const { events, dues } = duesOf(session)
      const [due] = dues
      if (due) return { session, events, due }
      judged.set(session.id, state)
    }
    return undefined
  }

  async function wantedOf(
    { session, events, due }: Found,
    run: Pick<Running, 'isCancelled'>,
    signal: AbortSignal,
  ): Promise<WantedReview> {
    const { id, agent, lastAt, model } = session
    const folder = await realFolder(session.folder)
    const { trigger, from, to } = due
    const said = events.map(({ event }) => event)
    const messages = foreignMessages(said.slice(0, to), model)
    return {
      session: id,
      trigger,
      kinds: FOREIGN_KINDS,
      messages,
      fromId: foreignMessages(said.slice(0, from)).length,
      foreign: { id, agent, folder, at: events[to - 1]?.event.at || lastAt },
      whoseWords: judgeForeignWords(messages, nameAgent(agent)),
      // After a failed review, the next one would skip the events of the failed one.
      isDue: () => (foreign.get(id)?.reviewedTo ?? 0) >= (events[from - 1]?.id ?? 0),
      onEnd(end) {
        // Events of a review that the user cancelled count as reviewed, as in a chat.
        if (end.end === 'done' || run.isCancelled) foreign.reviewed(id, events[to - 1]!.id)
        // `again` without an abort comes from a bug of ours, so it counts as a failure.
        const hasFailed = end.end === 'failed' || (end.end === 'again' && !signal.aborted)
        if (end.end === 'done') attempts.delete(id)
        if (hasFailed) attempts.set(id, (attempts.get(id) ?? 0) + 1)
        failures = hasFailed ? failures + 1 : end.end === 'done' ? 0 : failures
        notBefore = failures === 0 ? 0 : now() + Math.min(MOST_RETRY_MS, RETRY_MS * 2 ** (failures - 1))
        onChange()
      },
    }
  }

  function checkIsOn(): void {
    if (isOff()) throw new Fault('bad_input', 'Learning is switched off. Switch it on first.')
    if (settings().foreign_reviews_a_day === 0)
      throw new Fault(
        'bad_input',
        'Talaria does not learn from other programs, because learning.foreign_reviews_a_day is 0 in Settings.',
      )
  }

  /** Claim the single slot: only one of these reviews runs at a time. */
  function begin(isAwaited: boolean): Running & { finish(): void } {
    const { promise, resolve } = Promise.withResolvers<void>()
    const own = { stop: new AbortController(), isCancelled: false, ended: promise, isAwaited }
    running = own
    return Object.assign(own, {
      finish() {
        running = undefined
        resolve()
      },
    })
  }

  function mayBegin(): boolean {
    if (isClosed || running || isHeld() || budgetLeft() === 0) return false
    const wait = Math.max(quietSince + settings().idle_seconds * 1_000, notBefore) - now()
    if (wait <= 0) return true
    clearTimeout(later)
    later = setTimeout(look, wait).unref()
    return false
  }

  function look(): void {
    void reviewDue().catch(report)
  }

  /** Run due reviews one after the other, as long as reviews may run. */
  async function reviewDue(): Promise<void> {
    while (mayBegin()) {
      const own = begin(false)
      try {
        const found = await findNext()
        if (!found || own.stop.signal.aborted) return
        const { signal } = own.stop
        const wanted = await wantedOf(found, own, signal)
        const noted = wanted.onEnd!
        const reviews: WantedReview[] = [{ ...wanted, onEnd: end => (noted(end), onEnd(end)) }]
        onChange()
        for await (const _step of runReviews(outside(undefined, signal), 'events', reviews, signal));
      } finally {
        own.finish()
      }
    }
  }

  const soon = debounce(look, SOON)
  const timer = setInterval(look, POLL_INTERVAL_MS).unref()

  return {
    /** New events have arrived. */
    changed: () => soon.request(),
    /** The user is active: restart the idle time. */
    onActivity() {
      quietSince = now()
    },
    checkIsOn,
    budget: () => ({ aDay: settings().foreign_reviews_a_day, left: budgetLeft() }),
    /**
     * Review these sessions now, because the user asked for it, within the daily budget. The rest is reviewed
     * on the following days.
     */
    async *reviewNow(
      ids: readonly string[],
      modelId: string | undefined,
      given: AbortSignal,
    ): AsyncGenerator<LearnStep> {
      checkIsOn()
      for (let other = running; other; other = running) await other.ended
      const own = begin(true)
      try {
        const signal = AbortSignal.any([given, own.stop.signal])
        const asked = outside(modelId, signal)
        const sessions = ids.flatMap(id => foreign.get(id) ?? []).toSorted((a, b) => b.lastAt - a.lastAt)
        const wanted: WantedReview[] = []
        let room = budgetLeft()
        let waiting = 0
        for (const session of sessions) {
          await letOthersRun()
          const { events, dues } = duesOf(session)
          const today = dues.slice(0, room)
          for (const due of today) wanted.push(await wantedOf({ session, events, due }, own, signal))
          room -= today.length
          waiting += dues.length - today.length
        }
        yield* runReviews(asked, 'events', wanted, signal, waiting)
      } finally {
        own.finish()
        soon.request()
      }
    },
    /** Settings changed. */
    wake() {
      if (isOff() && running?.isAwaited === false) running.stop.abort()
      soon.request()
    },
    /** Cancel a running review. Its events are not reviewed again. */
    cancel(reviewId: string): boolean {
      const review = store.review(reviewId)
      if (!running || review?.foreign === undefined || review.state !== ('running' satisfies Review['state']))
        return false
      store.putReview({ ...review, state: 'dropped', outcome: 'You cancelled it.', endedAt: now() })
      running.isCancelled = true
      running.stop.abort()
      return true
    },
    async close() {
      isClosed = true
      clearInterval(timer)
      clearTimeout(later)
      soon.cancel()
      running?.stop.abort()
      // A review that a caller waits for ends with that caller.
      if (running?.isAwaited === false) await running.ended
    },
  }
}

/** The real path of a folder, as projects and notes store it; empty if unknown or not of this computer. */
async function realFolder(folder: string): Promise<string> {
  if (!isAbsolute(folder)) return ''
  return realpath(folder).catch(() => folder)
}
