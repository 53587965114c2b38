import type { LearningEvent } from '../../../shared/contract/learned/learning.ts'
import type { Store } from '../../db/store.ts'
import { createCounters, type Counters, type Due, type Nudges } from './review-counters.ts'
import { eventsOf } from './learning-events.ts'

type Parts = {
  store: {
    messages: Pick<Store['messages'], 'page'>
    learning: Pick<Store['learning'], 'reviewsOf'>
    runs: Pick<Store['runs'], 'endings'>
  }
  nudges(): Nudges
  onDue(due: Due): void
}

/** Maximum number of messages to read when recounting a chat. */
const MAX_READ = 2_000

/** Feeds the counters with chat events. */
export type TurnWatch = {
  observe(event: LearningEvent): void
  /** Recount a chat, because a review was added or ended outside the counters. */
  refresh(session: string): void
  /** The chat switched to another branch: recount it at its next event. */
  forget(session: string): void
  counters: Pick<Counters, 'counts'>
}

/**
 * Feed the counters with chat events. Counts are derived from the store: its messages, and how far each chat
 * was reviewed. So they survive restarts and changed settings.
 */
export function watchTurns({ store, nudges, onDue }: Parts): TurnWatch {
  const counters = createCounters(nudges)
  const known = new Set<string>()

  /** Recount from the store, excluding a message that is about to be counted live. */
  function derive(session: string, before = Number.POSITIVE_INFINITY): void {
    const isOpen = counters.isOpen(session)
    known.add(session)
    counters.forget(session)
    const { messages } = store.messages.page(session, { limit: MAX_READ })
    const past = messages.filter(({ id }) => id < before)
    // A review before compaction only covers older messages, so later ones keep their count.
    const reviews = store.learning.reviewsOf(session).filter(({ trigger }) => trigger !== 'compaction')
    const endings = store.runs.endings(session)
    past.forEach((message, index) => {
      for (const event of eventsOf(message)) counters.replay(event)
      const next = past[index + 1]
      const endsTurn = next ? next.role === 'user' && !next.steered : !isOpen
      // A question without any reply was stopped or failed before the first one.
      const reason = endings.get(message.id) ?? (message.role === 'user' ? 'stopped' : 'done')
      if (endsTurn) counters.replay({ type: 'turn_end', session, at: message.at, reason })
      for (const { kinds, upToId } of reviews)
        if (upToId >= message.id && (!next || upToId < next.id)) counters.reset(session, kinds)
    })
  }

  return {
    counters,
    observe(event) {
      if (!known.has(event.session))
        derive(event.session, event.type === 'user_message' ? event.id : undefined)
      for (const due of counters.observe(event)) onDue(due)
    },
    forget(session) {
      known.delete(session)
      counters.forget(session)
    },
    refresh(session) {
      if (known.has(session)) derive(session)
    },
  }
}
