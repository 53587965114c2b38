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
  /** Whether nothing is learned at all, and whether reviews that nobody asked for must wait. */
  isOff(): boolean
  isHeld(): boolean
  outside(modelId: string | undefined, signal: AbortSignal): OutsideParts
  /** A review by itself has ended. */
  onEnd(end: ReviewEnd): void
  onChange(): void
  now(): number
  report(error: unknown): void
}

/** How often to look for sessions to review, in ms, and how soon after being told of new events. */
const POLL_INTERVAL_MS = 60_000
const SOON = { idleMs: 200, maxMs: 2_000 }
const DAY_MS = 24 * 60 * 60_000
/** Older sessions are not reviewed, unless they were imported. */
const MAX_AGE_MS = 7 * DAY_MS
/** Sessions to look at, and bytes of the events of one, the newest. */
const MOST_SESSIONS = 2_000
const MOST_BYTES = 2_000_000
/** Attempts at one session before it is left until the next start. */
const MAX_ATTEMPTS = 3
/** Pause after a failure, which is about the model as a rule; doubled each time up to the most. */
const RETRY_MS = 60_000
const MOST_RETRY_MS = 60 * 60_000

type Found = { session: ForeignSession; events: readonly ForeignEvent[]; due: ForeignDue }
type Running = { stop: AbortController; isCancelled: boolean; ended: Promise<void>; isAwaited: boolean }

/**
 * Review the sessions that other programs told or that were imported, one at a time, while nobody is being answered. The newest come
 * first, and no more a day than their budget allows. What was reviewed is noted when a review has ended, so that a restart repeats
 * one review at most.
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
  /** Sessions that were found to need no review, with what that was judged by. */
  const judged = new Map<string, string>()

  const budgetLeft = () =>
    Math.max(0, settings().foreign_reviews_a_day - store.foreignReviews(now() - DAY_MS))
  const isOver = (session: ForeignSession) =>
    isForeignOver(session, { now: now(), endMinutes: settings().end_minutes })

  /** A person who imports a session wants to learn from it, however short it was. */
  function nudgesFor({ isImported }: ForeignSession): Nudges {
    const nudges = parts.nudges()
    return isImported ? { ...nudges, endTurns: Math.min(1, nudges.endTurns) } : nudges
  }

  function duesOf(session: ForeignSession): { events: ForeignEvent[]; dues: ForeignDue[] } {
    const events = foreign.events(session.id, MOST_BYTES)
    const state = { reviewedTo: session.reviewedTo, isOver: isOver(session) }
    return { events, dues: foreignDues(events, state, nudgesFor(session)) }
  }

  /** The newest session with a review that is due. */
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
      // After one that failed, the next would leave out what it was about.
      isDue: () => (foreign.get(id)?.reviewedTo ?? 0) >= (events[from - 1]?.id ?? 0),
      onEnd(end) {
        // What the person cancelled counts as looked at, as it does for a chat.
        if (end.end === 'done' || run.isCancelled) foreign.reviewed(id, events[to - 1]!.id)
        // It ended without a word only through a mistake of ours.
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

  /** Take the turn: one review of these runs at a time. */
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

  /** Review what is due, one after the other, for as long as that may be. */
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
    /** Events came in. */
    changed: () => soon.request(),
    /** The user is active: restart the idle time. */
    onActivity() {
      quietSince = now()
    },
    checkIsOn,
    budget: () => ({ aDay: settings().foreign_reviews_a_day, left: budgetLeft() }),
    /**
     * Review these sessions now, because the person asked for it, as far as the budget goes. What is left is reviewed on the
     * following days.
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
    /** Cancel a review that is running; what it was about is not reviewed again. */
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
      // What somebody waits for ends with its caller.
      if (running?.isAwaited === false) await running.ended
    },
  }
}

/** The folder as projects and notes name it; empty when it is not known, or named as no folder of this computer is. */
async function realFolder(folder: string): Promise<string> {
  if (!isAbsolute(folder)) return ''
  return realpath(folder).catch(() => folder)
}
