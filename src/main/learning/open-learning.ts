import type {
  LearningEvent,
  LearningMode,
  LearningRule,
  Proposal,
  Review,
} from '../../shared/contract/learned/learning.ts'
import type { Message } from '../../shared/contract/chats/messages.ts'
import { REVIEWED_ORIGINS, rulesOf } from '../../shared/origin-rules.ts'
import { Fault } from '../../shared/rpc.ts'
import { isRefusal } from '../lib/expected-errors.ts'
import { newId } from '../lib/ids.ts'
import type { Where } from '../files/paths/resolve-path.ts'
import type { EngineFailure } from '../models/interface/engine.ts'
import type { ReviewRow } from '../db/learning/learning-tables.ts'
import { createActivity, type ActivityFilter } from './activity-items.ts'
import { createFlushes } from './reviews/awaited-flush.ts'
import type { Nudges } from './reviews/review-counters.ts'
import { type OutsideParts, reviewOtherAgents } from './outside-chats/review-other-agents.ts'
import { readNamed, reviewNamedTexts } from './outside-chats/review-texts.ts'
import { createProposals } from './proposals/proposals.ts'
import { createForeignReviews } from './outside-chats/review-foreign.ts'
import { createPauses, PAUSED } from './reviews/review-pauses.ts'
import { createReviewQueue } from './reviews/review-queue.ts'
import { ruleFrom, sameWords } from './proposals/learning-rules.ts'
import { runReview, type ReviewParts, type ReviewInput } from './reviews/run-review.ts'
import { undoLearned, type UndoWhat } from './undo-learned.ts'
import { watchTurns } from './reviews/watch-turns.ts'

type LearningConfig = {
  mode: LearningMode
  memory_nudge: number
  skill_nudge: number
  turn_calls: number
  end_turns: number
  end_minutes: number
  idle_seconds: number
  only_on_mains: boolean
  budget_tokens: number
  review_steps: number
  foreign_reviews_a_day: number
}

type Parts = Omit<ReviewParts, 'proposals' | 'settings'> & {
  settings(): LearningConfig
  /** Get the input for reviewing a chat, or another agent's conversation, with the model for it. */
  inputFor(
    what:
      | { review: ReviewRow }
      | { messages: readonly Message[]; modelId: string | undefined; folder?: string | undefined },
  ): Promise<ReviewInput | EngineFailure>
  /** The model for reviews that belong to no chat. */
  usualModel?(): string
  /** Whether an answer is running. */
  isBusy(): boolean
  /** Undefined if that is unknown; then reviews do not wait. */
  isOnMains(): boolean | undefined
  onChange(open: number): void
}

/** How often to look for ended chats, in ms. */
const POLL_INTERVAL_MS = 60_000
const MAX_ENDED = 20
/** Older chats are not reviewed; otherwise an old home folder would cause days of reviews. */
const MAX_AGE_MS = 7 * 24 * 60 * 60_000

/** The learning service: reviews, proposals, rules and undo. */
export type Learning = ReturnType<typeof openLearning>

/** Open the learning service of a home folder. Reviews still queued at the last close are queued again. */
export function openLearning(parts: Parts) {
  const { store, memory, library, editor, settings, inputFor, isBusy, isOnMains, onChange, now, report } =
    parts
  const proposals = createProposals({ store: store.learning, memory, library, editor, now })
  const activity = createActivity({ store, proposals })
  const reviewing: ReviewParts = { ...parts, proposals }
  const changed = () => onChange(store.learning.openCount())

  const nudges = (): Nudges => {
    const { mode, memory_nudge, skill_nudge, turn_calls, end_turns } = settings()
    if (mode === 'off') return { memory: 0, skills: 0, turnCalls: 0, endTurns: 0 }
    return { memory: memory_nudge, skills: skill_nudge, turnCalls: turn_calls, endTurns: end_turns }
  }

  const pauses = createPauses()
  const modelOf = ({ sessionId }: ReviewRow): string | undefined =>
    sessionId === null ? undefined : store.sessions.get(sessionId)?.modelId

  function blockedReason(requestedByUser: boolean, review: ReviewRow): string | undefined {
    const { mode, only_on_mains } = settings()
    if (mode === 'off' && !requestedByUser) return 'Learning is switched off.'
    if (isBusy()) return 'It waits until no answer is running.'
    if (!requestedByUser && pauses.holds(modelOf(review))) return PAUSED
    if (only_on_mains && !requestedByUser && isOnMains() === false) return 'It waits for mains power.'
    return undefined
  }

  /** Whether statements in a chat count as the user's wishes. */
  const isLearnedFrom = (sessionId: string): boolean => {
    const session = store.sessions.get(sessionId)
    return session === undefined || rulesOf(session).learns !== 'nothing'
  }

  const turns = watchTurns({
    store,
    nudges,
    onDue: ({ session, trigger, kinds }) => void queueReview(session, trigger, kinds),
  })

  const queue = createReviewQueue({
    store: store.learning,
    // A review requested while learning is off still runs, also after a restart.
    blockedReason: (review, requestedByUser) =>
      blockedReason(requestedByUser || review.trigger === 'you', review),
    isOff: () => settings().mode === 'off',
    idleBeforeMs: () => settings().idle_seconds * 1_000,
    async run(review, signal) {
      const modelId = modelOf(review)
      const result = await runReview(reviewing, review, await inputFor({ review }), signal)
      pauses.learn(modelId, result)
      return result
    },
    onChange(review) {
      changed()
      if (review && review.sessionId !== null) turns.refresh(review.sessionId)
    },
    now,
    report,
  })

  const mayLearn = (): Review['kinds'] => reviewing.mayLearn?.() ?? ['memory', 'skills']

  const flushes = createFlushes({
    store: store.learning,
    queue,
    isOff: () => settings().mode === 'off' || settings().end_turns === 0,
    mayLearn,
    inputFor,
    run: (review, input, signal) => runReview(reviewing, review, input, signal),
  })

  function queueReview(
    sessionId: string,
    trigger: Review['trigger'],
    kinds: Review['kinds'],
  ): ReviewRow | undefined {
    const upToId = store.messages.page(sessionId, { limit: 1 }).messages[0]?.id
    return upToId === undefined ? undefined : queue.add({ sessionId, trigger, kinds, upToId })
  }

  /** Queue reviews of chats that ended: after a pause, or because the app was closed. */
  function queueEndedChats(): void {
    const { mode, end_turns, end_minutes } = settings()
    if (mode === 'off' || end_turns === 0) return
    const quietSince = now() - end_minutes * 60_000
    const isRecent = (id: string) => (store.sessions.get(id)?.updatedAt ?? 0) > now() - MAX_AGE_MS
    const chosen = { turns: end_turns, quietSince, limit: MAX_ENDED, origins: REVIEWED_ORIGINS }
    for (const id of store.learning.unreviewed(chosen))
      if (isRecent(id)) queueReview(id, 'session_end', ['memory', 'skills'])
  }
  const timer = setInterval(() => {
    try {
      queueEndedChats()
    } catch (error) {
      report(error)
    }
  }, POLL_INTERVAL_MS).unref()

  /** Dependencies of reviews outside chats. */
  function outside(modelId: string | undefined, signal: AbortSignal): OutsideParts {
    if (settings().mode === 'off')
      throw new Fault('bad_input', 'Learning is switched off. Switch it on first.')
    return {
      store: store.learning,
      inputFor: (messages, folder) => inputFor({ messages, modelId, folder }),
      run: (review, input, whoseWords) => runReview(reviewing, review, input, signal, whoseWords),
      shown: id => proposals.shown(store.learning.proposal(id)!),
      now,
    }
  }

  const foreign = createForeignReviews({
    foreign: store.foreign,
    store: store.learning,
    settings,
    nudges,
    isOff: () => settings().mode === 'off',
    isHeld: () =>
      settings().mode === 'off' ||
      isBusy() ||
      queue.running !== undefined ||
      mayLearn().length === 0 ||
      pauses.holds(parts.usualModel?.()) ||
      (settings().only_on_mains && isOnMains() === false),
    outside,
    onEnd: end => pauses.learn(parts.usualModel?.(), end),
    onChange: changed,
    now,
    report,
  })

  return {
    foreign,
    /** Report an event of a chat. */
    observe(event: LearningEvent) {
      foreign.onActivity()
      if (event.type === 'user_message') queue.onActivity(event.session)
      else queue.onActivity()
      if (isLearnedFrom(event.session)) turns.observe(event)
    },
    /** A chat switched to another branch. */
    pathMoved: (sessionId: string) => turns.forget(sessionId),
    /** The user started a new chat, so this one has ended. */
    chatEnded(sessionId: string) {
      if (isLearnedFrom(sessionId)) turns.observe({ type: 'session_end', session: sessionId, at: now() })
    },
    /** Reviews of messages that a summary is about to replace. */
    flushes,
    activity({
      filter,
      before = Number.MAX_SAFE_INTEGER,
      limit,
    }: {
      filter: ActivityFilter
      before?: number
      limit: number
    }) {
      const reviews = store.learning.waitingReviews()
      const queued = reviews.find(review => review.state === 'queued')
      return {
        waiting: proposals.show(store.learning.proposals({ state: 'open' })).toReversed(),
        ...activity.list({ filter, before, limit }),
        reviews: reviews.map(activity.shownReview),
        held: (queued && blockedReason(false, queued)) ?? null,
      }
    },
    ofChat: (sessionId: string) => ({
      proposals: proposals.show(store.learning.proposals({ sessionId })),
      reviews: store.learning.reviewsOf(sessionId).map(activity.shownReview),
    }),
    open: () => store.learning.openCount(),
    accept(ids: readonly string[], text: string | undefined, seen: Readonly<Record<string, string>>) {
      try {
        return proposals.accept(ids, text, seen)
      } finally {
        changed()
      }
    },
    compareAgain(id: string): Proposal {
      try {
        return proposals.compareAgain(id)
      } finally {
        changed()
      }
    },
    reject(ids: readonly string[], notAgain: boolean): LearningRule[] {
      const rows = proposals.reject(ids)
      const rules: LearningRule[] = []
      for (const row of notAgain ? rows : []) {
        const rule = ruleFrom(row, now())
        const known = store.learning.rules().find(({ example }) => sameWords(example, rule.example))
        if (!known) store.learning.putRule(rule)
        if (!rules.some(each => each.id === known?.id)) rules.push(known ?? rule)
      }
      changed()
      return rules
    },
    undo(what: UndoWhat) {
      const undone = undoLearned({ store, memory, editor, activity, proposals }, what)
      changed()
      return undone
    },
    /** Queue a review of a chat, or move all queued reviews forward. They start once no answer is running. */
    review(sessionId: string | undefined): number {
      if (sessionId !== undefined && store.sessions.get(sessionId)?.temporary)
        throw new Fault(
          'bad_input',
          'This chat is temporary, so Talaria does not learn from it. Keep the chat first.',
        )
      if (sessionId !== undefined && !isLearnedFrom(sessionId))
        throw new Fault(
          'bad_input',
          'Talaria does not learn from this chat, because its messages are not your own words.',
        )
      if (sessionId === undefined) queue.prioritiseAll()
      else if (!queueReview(sessionId, 'you', ['memory', 'skills']))
        throw new Fault('bad_input', 'This chat has no messages yet.')
      return store.learning.waitingReviews().length
    },
    cancel(reviewId: string) {
      if (!foreign.cancel(reviewId) && !queue.cancel(reviewId))
        throw new Fault('not_found', 'This review is no longer waiting.')
    },
    rules: () => store.learning.rules(),
    addRule(text: string): LearningRule {
      const rule = { id: newId('rule', now), text, example: '', at: now(), hits: 0 }
      store.learning.putRule(rule)
      changed()
      return rule
    },
    removeRule(id: string) {
      if (!store.learning.removeRule(id, now()))
        throw new Fault('not_found', 'This rule was already removed.')
      changed()
    },
    weeks: (limit: number) => activity.weeks(limit, now()),
    reviewEventsOf(events: readonly LearningEvent[], modelId: string | undefined, signal: AbortSignal) {
      const ofEvents = () => ({ ...nudges(), endTurns: Math.min(1, nudges().endTurns) })
      return reviewOtherAgents({ ...outside(modelId, signal), nudges: ofEvents }, events, signal)
    },
    /** Review a text file or a folder of text files. Throws a `Fault` if none of it can be read. */
    async *reviewTextsAt(where: Where, path: string, modelId: string | undefined, signal: AbortSignal) {
      const parts = outside(modelId, signal)
      const kinds = mayLearn()
      if (kinds.length === 0)
        throw new Fault(
          'bad_input',
          'Saving to memory and writing skills are switched off. Switch one on first.',
        )
      const texts = await readNamed(where, path)
      if (isRefusal(texts)) throw new Fault('bad_input', texts.refused)
      yield* reviewNamedTexts(parts, { texts, kinds }, signal)
    },
    /** The settings changed: notify watchers and start reviews that may run now. */
    settingsChanged() {
      changed()
      queue.wake()
      foreign.wake()
    },
    async close() {
      clearInterval(timer)
      await foreign.close()
      await queue.close()
    },
  }
}
