import type { LearningEvent } from '../../shared/contract/learning.ts'
import type { Store } from '../store/types.ts'
import { createCounters, type Counters, type Due, type Nudges } from './counters.ts'
import { eventsOf } from './events-of.ts'

type Parts = {
  store: { messages: Pick<Store['messages'], 'page'>; learning: Pick<Store['learning'], 'reviewsOf'> }
  nudges(): Nudges
  onDue(due: Due): void
}

/** Messages that are read again to find out what a chat counts. */
const MOST_READ = 2_000

/** Feeds counters with what happens in chats. */
export type TurnWatch = {
  observe(event: LearningEvent): void
  /** Count a chat anew, because something else than a count made or ended a review of it. */
  refresh(session: string): void
  counters: Pick<Counters, 'counts'>
}

/**
 * Feed the counters with what happens in chats. What counts is what the store says: its messages, and from which of them on
 * no review has looked. So a restart changes nothing, and neither do settings that were others then.
 */
export function watchTurns({ store, nudges, onDue }: Parts): TurnWatch {
  const counters = createCounters(nudges)
  const known = new Set<string>()

  /** Count what is stored, up to a message that is about to be counted as it happens. */
  function derive(session: string, before = Number.POSITIVE_INFINITY): void {
    const isOpen = counters.isOpen(session)
    known.add(session)
    counters.forget(session)
    const { messages } = store.messages.page(session, { limit: MOST_READ })
    const past = messages.filter(({ id }) => id < before)
    // A summary stands for older messages only; what was said since goes on counting.
    const reviews = store.learning.reviewsOf(session).filter(({ trigger }) => trigger !== 'compaction')
    past.forEach((message, index) => {
      for (const event of eventsOf(message)) counters.replay(event)
      const next = past[index + 1]
      const endsTurn = next ? next.role === 'user' : !isOpen
      if (endsTurn) counters.replay({ type: 'turn_end', session, at: message.at, reason: 'done' })
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
    refresh(session) {
      if (known.has(session)) derive(session)
    },
  }
}
