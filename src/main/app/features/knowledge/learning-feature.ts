import { homedir } from 'node:os'
import type { ConfigHandle } from '../../../config/load.ts'
import type { Store } from '../../../db/store.ts'
import type { Feed } from '../../../feed/open-feed.ts'
import type { ReviewParts } from '../../../learning/reviews/run-review.ts'
import { learningHandlers } from '../../../learning/learning-handlers.ts'
import { openLearning, type Learning } from '../../../learning/open-learning.ts'
import type { Topic } from '../../../lib/topic.ts'
import type { Memory } from '../../../memory/open-memory.ts'
import { createReviewInput } from '../../../runs/prepare-review.ts'
import { earlierSessions } from '../../../other-agents/import/earlier-sessions.ts'
import type { Projects } from '../../../projects/open-projects.ts'
import type { Library, SkillEditor } from '../../../skills/skill-types.ts'
import type { TurnSources } from '../../../runs/turn-setup.ts'
import type { ChatEvent } from '../chats/chats-feature.ts'
import type { turnsFeature } from '../chats/turns-feature.ts'
import type { NewRunEvent } from '../../../../shared/contract/runs/run.ts'
import { eventsOf } from '../../../learning/reviews/learning-events.ts'
import { saveTrajectory, type TrajectorySources } from '../../../learning/trajectories/write-trajectories.ts'

type Needs = {
  home: string
  workspace: string
  config: ConfigHandle
  store: Store
  models: {
    defaultId(): string
    drafterFor: TurnSources['engineFor']
  }
  memory: { notebook: Memory; notesOf: NonNullable<ReviewParts['notesOf']> }
  projects: Pick<Projects, 'inFolder' | 'notesOf'>
  skills: { library: Library; editor: SkillEditor }
  turns: ReturnType<typeof turnsFeature>
  feed: Pick<Feed, 'tell'>
  chatEvents: Topic<ChatEvent>
  isOnMains(): boolean | undefined
  now(): number
  report(error: unknown): void
}

/** Reviews of chats, and the changes to memory and skills that they propose. */
export function learningFeature(needs: Needs) {
  const { home, workspace, config, store, models, memory, skills, turns, feed, chatEvents, now, report } =
    needs
  const { projects } = needs
  const { registry } = turns.sources
  const projectIn = (folder: string) => projects.inFolder(folder)?.id ?? null
  const learning = openLearning({
    store,
    memory: memory.notebook,
    library: skills.library,
    editor: skills.editor,
    cap: turns.cap,
    notesOf: memory.notesOf,
    notesIn: folder => projects.notesOf({ projectId: projectIn(folder), workspace: folder }),
    usualModel: models.defaultId,
    settings: () => config.current.learning,
    inputFor: createReviewInput({
      ...turns.sources,
      engineFor: models.drafterFor,
      defaults: () => ({ modelId: models.defaultId(), workspace }),
      projectIn,
    }),
    mayLearn: () => [
      ...(config.current.memory.learn_from_chats ? (['memory'] as const) : []),
      ...(config.current.skills.learn_from_chats ? (['skills'] as const) : []),
    ],
    isBusy: () => turns.running.size > 0,
    isOnMains: needs.isOnMains,
    onChange: () => feed.tell('learning'),
    now,
    report,
  })
  const { foreign } = learning
  const earlier = earlierSessions({
    foreign: store.foreign,
    learning: store.learning,
    places: { user: homedir(), env: process.env },
    budget: foreign.budget,
    checkIsOn: foreign.checkIsOn,
    review: foreign.reviewNow,
    onChange: foreign.changed,
    now,
  })
  const runObserver = createRunObserver({
    home,
    store,
    registry,
    learning,
    keepsTrajectories: () => config.current.learning.trajectories,
    now,
    report,
  })
  chatEvents.subscribe(event => {
    if (event.type === 'run') runObserver.onRunEvent(event.sessionId, event.event)
    else if (event.type === 'path_moved') learning.pathMoved(event.sessionId)
    else if (event.type === 'chat_ended') runObserver.end(event.sessionId)
    else runObserver.beforeNewChat()
  })
  config.onChange(path => {
    if (path.startsWith('learning.')) learning.settingsChanged()
  })
  return {
    flushes: learning.flushes,
    /** Call this if sessions of other programs have new events. */
    foreignChanged: foreign.changed,
    handlers: {
      ...learningHandlers({ learning, store, config, registry, home, workspace, now }),
      ...earlier.handlers,
    },
    close() {
      runObserver.leave()
      return learning.close()
    },
  }
}

type Parts = {
  home: string
  store: Store
  registry: TrajectorySources['registry']
  learning: Pick<Learning, 'observe' | 'chatEnded'>
  keepsTrajectories(): boolean
  now(): number
  report(error: unknown): void
}

/** Convert run events to learning events, in order: the only link from our chats to the learning core. */
function createRunObserver({ home, store, registry, learning, keepsTrajectories, now, report }: Parts) {
  let last: string | undefined
  /** Chats that got a message and have not ended. */
  const open = new Set<string>()
  /** Chats with a turn in progress. Compaction is a run too, but it has no messages to learn from. */
  const turns = new Set<string>()
  function end(sessionId: string) {
    open.delete(sessionId)
    if (store.sessions.get(sessionId)) learning.chatEnded(sessionId)
  }
  return {
    end,
    onRunEvent(sessionId: string, event: NewRunEvent) {
      last = sessionId
      open.add(sessionId)
      if (event.type === 'turn_start') turns.add(sessionId)
      if (event.type === 'turn_start' || event.type === 'message')
        for (const each of eventsOf(event.message)) learning.observe(each)
      if (event.type !== 'turn_end' || !turns.delete(sessionId)) return
      learning.observe({ type: 'turn_end', session: sessionId, at: now(), reason: event.reason })
      if (!keepsTrajectories() || store.sessions.get(sessionId)?.temporary) return
      try {
        saveTrajectory(home, { store, registry }, sessionId, event.reason)
      } catch (error) {
        report(error)
      }
    },
    /** Starting a new chat ends the previous one, for now. */
    beforeNewChat() {
      if (last !== undefined) end(last)
      last = undefined
    },
    /** Ending the program ends its chats. Their reviews wait for the next launch. */
    leave() {
      try {
        for (const sessionId of open) end(sessionId)
      } catch (error) {
        report(error)
      }
    },
  }
}
