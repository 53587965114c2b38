import type { NewRunEvent } from '../../shared/contract/run.ts'
import type { Store } from '../store/types.ts'
import { eventsOf } from './events-of.ts'
import type { Learning } from './open-learning.ts'
import { keepTrajectory } from './trajectories.ts'

type Parts = {
  home: string
  store: Store
  learning: Pick<Learning, 'observe' | 'ended'>
  keepsTrajectories(): boolean
  now(): number
  report(error: unknown): void
}

/** Turn what runs tell into what is learned from, in order; the learning core knows nothing else of our own chats. */
export function createFeed({ home, store, learning, keepsTrajectories, now, report }: Parts) {
  let last: string | undefined
  /** Chats in which a turn is under way; making room is a run too, but nothing is said in it. */
  const turns = new Set<string>()
  return {
    take(sessionId: string, event: NewRunEvent) {
      last = sessionId
      if (event.type === 'turn_start') turns.add(sessionId)
      if (event.type === 'turn_start' || event.type === 'message')
        for (const each of eventsOf(event.message)) learning.observe(each)
      if (event.type !== 'turn_end' || !turns.delete(sessionId)) return
      learning.observe({ type: 'turn_end', session: sessionId, at: now(), reason: event.reason })
      if (!keepsTrajectories()) return
      try {
        keepTrajectory(home, store, sessionId, event.reason)
      } catch (error) {
        report(error)
      }
    },
    /** Whoever begins a new chat has done with the last one, for the time being. */
    beforeNew() {
      if (last !== undefined && store.sessions.get(last)) learning.ended(last)
      last = undefined
    },
  }
}
