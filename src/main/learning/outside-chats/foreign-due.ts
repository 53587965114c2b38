import type { LearningEvent } from '../../../shared/contract/learned/learning.ts'
import type { ForeignEvent, ForeignSession } from '../../db/learning/foreign-tables.ts'
import { createCounters, type Due, type Nudges } from '../reviews/review-counters.ts'

/** A due review of a session of another program. It covers the events from index `from` up to `to`. */
export type ForeignDue = { trigger: Due['trigger']; from: number; to: number }

/** A review covers all kinds, because a single number stores how far a session was reviewed. */
export const FOREIGN_KINDS: Due['kinds'] = ['memory', 'skills']

/**
 * The reviews of a session that are due after event number `reviewedTo`, in order. The counters are those of
 * chats. The result depends on the events alone, not on how often or when it is computed. A session that is
 * over ends with its last event.
 */
export function foreignDues(
  events: readonly ForeignEvent[],
  { reviewedTo, isOver }: { reviewedTo: number; isOver: boolean },
  nudges: Nudges,
): ForeignDue[] {
  const counters = createCounters(() => nudges)
  const found: ForeignDue[] = []
  let from = 0
  /** Count an event. A review that it triggers covers the events before `to`. */
  function take(event: LearningEvent, to: number): void {
    const [due] = counters.observe(event)
    if (!due) return
    found.push({ trigger: due.trigger, from, to })
    counters.reset(event.session, FOREIGN_KINDS)
    from = to
  }
  for (const [index, { id, event }] of events.entries()) {
    if (id <= reviewedTo) {
      counters.replay(event)
      counters.reset(event.session, FOREIGN_KINDS)
      from = index + 1
      continue
    }
    // A user message that ends the previous turn is not part of it.
    const to = event.type === 'user_message' ? index : index + 1
    if (event.type === 'session_end') take(endOf(event), to)
    take(event, to)
  }
  const last = events.at(-1)?.event
  if (!isOver || !last || last.type === 'session_end') return found
  take(endOf(last), events.length)
  take({ type: 'session_end', session: last.session, at: last.at }, events.length)
  return found
}

/** Programs need not report the end of a turn, so the end of the session implies it. */
const endOf = ({ session, at }: LearningEvent): LearningEvent => ({
  type: 'turn_end',
  session,
  at,
  reason: 'done',
})

/** A time this far in the future comes from a wrong clock and does not show when the session went idle. */
const WRONG_CLOCK_MS = 60 * 60_000

/** Whether a session has ended, or was idle long enough to count as ended. */
export const isForeignOver = (
  { endedAt, lastAt }: Pick<ForeignSession, 'endedAt' | 'lastAt'>,
  { now, endMinutes }: { now: number; endMinutes: number },
): boolean => endedAt !== null || lastAt < now - endMinutes * 60_000 || lastAt > now + WRONG_CLOCK_MS
