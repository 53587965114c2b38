import type { LearningSettings } from '../../shared/contract/learned/learning.ts'
import type { HostHandlers } from '../../shared/contract/index.ts'
import type { ConfigHandle } from '../config/load.ts'
import type { Learning } from './open-learning.ts'
import type { ForeignSession } from '../db/learning/foreign-tables.ts'
import type { Store } from '../db/store.ts'
import { isForeignOver } from './outside-chats/foreign-due.ts'
import { trajectoriesOf, type TrajectorySources } from './trajectories/write-trajectories.ts'

type Parts = {
  learning: Learning
  store: Store
  config: ConfigHandle
  home: string
  workspace: string
  registry: TrajectorySources['registry']
  now(): number
}

/** Handlers for learned changes, open proposals, reviews and their settings. */
export function learningHandlers({ learning, store, config, registry, home, workspace, now }: Parts) {
  const settings = (): LearningSettings => {
    const { mode, memory_nudge, skill_nudge, idle_seconds, only_on_mains, budget_tokens, trajectories } =
      config.current.learning
    return {
      mode,
      memoryNudge: memory_nudge,
      skillNudge: skill_nudge,
      idleSeconds: idle_seconds,
      onlyOnMains: only_on_mains,
      budgetTokens: budget_tokens,
      trajectories,
    }
  }

  return {
    'learning.activity': ({ filter, before, limit }) => ({
      ...learning.activity({ filter, limit, ...(before !== undefined && { before }) }),
      settings: settings(),
    }),
    'learning.ofChat': ({ sessionId }) => learning.ofChat(sessionId),
    'learning.open': () => ({ open: learning.open() }),
    'learning.keep': ({ ids, seen, text }) => learning.accept(ids, text, seen),
    'learning.compareAgain': ({ id }) => ({ proposal: learning.compareAgain(id) }),
    'learning.reject': ({ ids, notAgain }) => ({ rules: learning.reject(ids, notAgain) }),
    'learning.undo': ({ what }) => learning.undo(what),
    'learning.review': ({ sessionId }) => ({ queued: learning.review(sessionId) }),
    'learning.cancel'({ reviewId }) {
      learning.cancel(reviewId)
      return {}
    },
    'learning.rules': () => ({ rules: learning.rules() }),
    'learning.addRule': ({ text }) => ({ rule: learning.addRule(text) }),
    'learning.removeRule'({ id }) {
      learning.removeRule(id)
      return {}
    },
    'learning.settings'(change) {
      const { mode, memoryNudge, skillNudge, idleSeconds, onlyOnMains, budgetTokens, trajectories } = change
      if (mode !== undefined) config.set('learning.mode', mode)
      if (memoryNudge !== undefined) config.set('learning.memory_nudge', memoryNudge)
      if (skillNudge !== undefined) config.set('learning.skill_nudge', skillNudge)
      if (idleSeconds !== undefined) config.set('learning.idle_seconds', idleSeconds)
      if (onlyOnMains !== undefined) config.set('learning.only_on_mains', onlyOnMains)
      if (budgetTokens !== undefined) config.set('learning.budget_tokens', budgetTokens)
      if (trajectories !== undefined) config.set('learning.trajectories', trajectories)
      return settings()
    },
    'learning.weeks': ({ limit }) => ({ weeks: learning.weeks(limit) }),
    'learning.feed': ({ events, modelId }, signal) => learning.reviewEventsOf(events, modelId, signal),
    'learning.read'({ path, sessionId, modelId }, signal) {
      const session = sessionId === undefined ? undefined : store.sessions.get(sessionId)
      const where = { home, workspace: session?.workspace ?? workspace }
      return learning.reviewTextsAt(where, path, modelId ?? session?.modelId, signal)
    },
    'learning.trajectories'({ withOtherAgents, ...wanted }) {
      const endMinutes = config.current.learning.end_minutes
      const isOver = (session: ForeignSession) => isForeignOver(session, { now: now(), endMinutes })
      const withForeign = withOtherAgents ? { store: store.foreign, isOver } : undefined
      return trajectoriesOf({ store, registry }, { ...wanted, withForeign })
    },
  } satisfies Partial<HostHandlers>
}
