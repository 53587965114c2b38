import type { NewRunEvent } from '../../shared/contract/run.ts'
import type { Store } from '../db/types.ts'
import { eventsOf } from './learning-events.ts'
import type { Learning } from './open-learning.ts'
import { saveTrajectory } from './trajectories.ts'

type Parts = {
  home: string
  store: Store
  learning: Pick<Learning, 'observe' | 'chatEnded'>
  keepsTrajectories(): boolean
  now(): number
  report(error: unknown): void
}

/** Convert run events to learning events, in order. This is the only link from our own chats to the learning core. */
export function createRunObserver({ home, store, learning, keepsTrajectories, now, report }: Parts) {
  let last: string | undefined
  /** Chats with a turn in progress. Compaction is a run too, but it has no messages to learn from. */
  const turns = new Set<string>()
  return {
    onRunEvent(sessionId: string, event: NewRunEvent) {
      last = sessionId
      if (event.type === 'turn_start') turns.add(sessionId)
      if (event.type === 'turn_start' || event.type === 'message')
        for (const each of eventsOf(event.message)) learning.observe(each)
      if (event.type !== 'turn_end' || !turns.delete(sessionId)) return
      learning.observe({ type: 'turn_end', session: sessionId, at: now(), reason: event.reason })
      if (!keepsTrajectories()) return
      try {
        saveTrajectory(home, store, sessionId, event.reason)
      } catch (error) {
        report(error)
      }
    },
    /** Starting a new chat ends the previous one, for now. */
    beforeNewChat() {
      if (last !== undefined && store.sessions.get(last)) learning.chatEnded(last)
      last = undefined
    },
  }
}
