import type {
  LearningEvent,
  LearningMode,
  LearningRule,
  Proposal,
  Review,
} from '../../shared/contract/learning.ts'
import type { Message } from '../../shared/contract/messages.ts'
import { Fault } from '../../shared/rpc.ts'
import { newId } from '../lib/ids.ts'
import type { EngineFailure } from '../llm/engine.ts'
import type { ReviewRow } from '../store/types.ts'
import { createActivity, type ActivityFilter } from './activity.ts'
import type { Nudges } from './counters.ts'
import { feedEvents } from './feed-events.ts'
import { createProposals } from './proposals.ts'
import { createReviewQueue } from './queue.ts'
import { ruleFrom } from './rules.ts'
import { sameWords } from './same-words.ts'
import { runReview, type ReviewParts, type Subject } from './run-review.ts'
import { undoLearned, type UndoWhat } from './undo-learned.ts'
import { watchTurns } from './watch-turns.ts'

export type LearningConfig = {
  mode: LearningMode
  memory_nudge: number
  skill_nudge: number
  end_turns: number
  end_minutes: number
  idle_seconds: number
  only_on_mains: boolean
  budget_tokens: number
}

type Parts = Omit<ReviewParts, 'proposals' | 'settings'> & {
  settings(): LearningConfig
  /** What a model would read of a chat, or of another agent's conversation; with the model that is to read it. */
  subjectOf(
    what: { review: ReviewRow } | { messages: readonly Message[]; modelId: string | undefined },
  ): Promise<Subject | EngineFailure>
  /** Whether anybody is being answered. */
  isBusy(): boolean
  isOnMains(): boolean
  onChange(open: number): void
}

/** How often it is looked for chats that have come to their end, in milliseconds. */
const LOOK_MS = 60_000
const MOST_ENDED = 20
/** Chats that were left longer ago are not looked back at, or an old home folder would be reviewed for days. */
const LONGEST_AGO_MS = 7 * 24 * 60 * 60_000

const WAITS = new Set<Review['state']>(['queued', 'running'])

/** What is learned from conversations, how, and how it is taken back. */
export type Learning = ReturnType<typeof openLearning>

/** Open the learning loop of a home folder; reviews that waited when it was closed wait again. */
export function openLearning(parts: Parts) {
  const { store, memory, library, workshop, settings, subjectOf, isBusy, isOnMains, onChange, now, report } =
    parts
  const proposals = createProposals({ store: store.learning, memory, library, workshop, now })
  const activity = createActivity({ store, proposals })
  const reviewing: ReviewParts = { ...parts, proposals }
  const changed = () => onChange(store.learning.openCount())

  const nudges = (): Nudges => {
    const { mode, memory_nudge, skill_nudge, end_turns } = settings()
    const off = mode === 'off'
    return { memory: off ? 0 : memory_nudge, skills: off ? 0 : skill_nudge, endTurns: off ? 0 : end_turns }
  }

  function held(isAsked: boolean): string | undefined {
    const { mode, only_on_mains } = settings()
    if (mode === 'off' && !isAsked) return 'Learning is switched off.'
    if (isBusy()) return 'It waits until nobody is being answered.'
    if (only_on_mains && !isAsked && !isOnMains()) return 'It waits for mains power.'
    return undefined
  }

  const turns = watchTurns({
    store,
    nudges,
    onDue: ({ session, trigger, kinds }) => void queueReview(session, trigger, kinds),
  })

  const queue = createReviewQueue({
    store: store.learning,
    // Somebody who asks while learning is off wants it this once, also after a restart.
    held: ({ trigger }, isAsked) => held(isAsked || trigger === 'you'),
    isOff: () => settings().mode === 'off',
    quietMs: () => settings().idle_seconds * 1_000,
    async run(review, signal) {
      return runReview(reviewing, review, await subjectOf({ review }), signal)
    },
    onChange(review) {
      changed()
      if (review && review.sessionId !== null) turns.refresh(review.sessionId)
    },
    now,
    report,
  })

  function queueReview(
    sessionId: string,
    trigger: Review['trigger'],
    kinds: Review['kinds'],
  ): ReviewRow | undefined {
    const upToId = store.messages.page(sessionId, { limit: 1 }).messages[0]?.id
    return upToId === undefined ? undefined : queue.add({ sessionId, trigger, kinds, upToId })
  }

  /** Chats that nobody goes on with: after a pause, and those that were left when the program ended. */
  function lookForEnded(): void {
    const { mode, end_turns, end_minutes } = settings()
    if (mode === 'off' || end_turns === 0) return
    const quietSince = now() - end_minutes * 60_000
    const isRecent = (id: string) => (store.sessions.get(id)?.updatedAt ?? 0) > now() - LONGEST_AGO_MS
    for (const id of store.learning.unreviewed({ turns: end_turns, quietSince, limit: MOST_ENDED }))
      if (isRecent(id)) queueReview(id, 'session_end', ['memory', 'skills'])
  }
  const timer = setInterval(() => {
    try {
      lookForEnded()
    } catch (error) {
      report(error)
    }
  }, LOOK_MS).unref()

  return {
    /** Feed it with what happens. */
    observe(event: LearningEvent) {
      if (event.type === 'user_message') queue.disturb(event.session)
      else queue.disturb()
      turns.observe(event)
    },
    /** A new chat was begun, so the one before has come to its end. */
    ended: (sessionId: string) => turns.observe({ type: 'session_end', session: sessionId, at: now() }),
    /** Older messages are about to be replaced by a summary; what they hold is reviewed first of all that waits. */
    flush(sessionId: string, fromId: number, upToId: number) {
      const { mode, end_turns } = settings()
      if (mode === 'off' || end_turns === 0) return
      // A review that only waits will read the summary, like the chat itself.
      const reviewed = store.learning
        .reviewsOf(sessionId)
        .filter(({ state, trigger }) => state === 'done' || (trigger === 'compaction' && WAITS.has(state)))
        .reduce((most, each) => Math.max(most, each.upToId), 0)
      if (upToId <= reviewed) return
      queue.add({
        sessionId,
        trigger: 'compaction',
        kinds: ['memory', 'skills'],
        upToId,
        fromId: Math.max(fromId, reviewed),
      })
    },
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
      const isHeld = reviews.some(review => review.state === 'queued')
      return {
        waiting: proposals.show(store.learning.proposals({ state: 'open' })).toReversed(),
        ...activity.list({ filter, before, limit }),
        reviews: reviews.map(activity.shownReview),
        held: (isHeld ? held(false) : undefined) ?? null,
      }
    },
    ofChat: (sessionId: string) => ({
      proposals: proposals.show(store.learning.proposals({ sessionId })),
      reviews: store.learning.reviewsOf(sessionId).map(activity.shownReview),
    }),
    open: () => store.learning.openCount(),
    keep(ids: readonly string[], text?: string) {
      try {
        return proposals.keep(ids, text)
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
      const undone = undoLearned({ store, memory, workshop, activity, proposals }, what)
      changed()
      return undone
    },
    /** Review a chat, or every one that waits, as soon as nobody is being answered. */
    review(sessionId: string | undefined): number {
      if (sessionId === undefined) queue.hurryAll()
      else if (!queueReview(sessionId, 'you', ['memory', 'skills']))
        throw new Fault('bad_input', 'Nothing was said in this chat yet.')
      return store.learning.waitingReviews().length
    },
    cancel(reviewId: string) {
      if (!queue.cancel(reviewId)) throw new Fault('not_found', 'This review is not waiting any more.')
    },
    rules: () => store.learning.rules(),
    addRule(text: string): LearningRule {
      const rule = { id: newId('rule', now), text, example: '', at: now(), hits: 0 }
      store.learning.putRule(rule)
      changed()
      return rule
    },
    removeRule(id: string) {
      if (!store.learning.removeRule(id, now())) throw new Fault('not_found', 'This rule is gone already.')
      changed()
    },
    weeks: (limit: number) => activity.weeks(limit, now()),
    feed(events: readonly LearningEvent[], modelId: string | undefined, signal: AbortSignal) {
      if (settings().mode === 'off')
        throw new Fault('bad_input', 'Learning is switched off. Switch it on first.')
      return feedEvents(
        {
          store: store.learning,
          nudges: () => ({ ...nudges(), endTurns: Math.min(1, nudges().endTurns) }),
          subjectOf: messages => subjectOf({ messages, modelId }),
          run: (review, subject) => runReview(reviewing, review, subject, signal),
          shown: id => proposals.shown(store.learning.proposal(id)!),
          now,
        },
        events,
        signal,
      )
    },
    /** The settings have changed: whoever shows them hears of it, and what waits may begin. */
    settingsChanged() {
      changed()
      queue.wake()
    },
    async close() {
      clearInterval(timer)
      await queue.close()
    },
  }
}
