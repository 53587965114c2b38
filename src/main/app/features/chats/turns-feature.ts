import type { ConfigHandle } from '../../../config/load.ts'
import type { Store } from '../../../db/store.ts'
import type { PromptSection } from '../../../agent/prompt.ts'
import type { TurnSources } from '../../../runs/turn-setup.ts'
import { createResultCap } from '../../../tools/registry/shorten-result.ts'
import type { Registry } from '../../../tools/registry/registry.ts'
import type { Projects } from '../../../projects/open-projects.ts'

type Needs = {
  home: string
  config: ConfigHandle
  store: Store
  models: Required<Pick<TurnSources, 'engineFor' | 'engineAlone' | 'auxiliaryFor' | 'advisersOf'>>
  /** The sections that prompts of chats are made of. */
  sections: readonly PromptSection[]
  projects: Projects
  registry: Registry
  toolsets: TurnSources['toolsets']
  mayOffer: TurnSources['mayOffer']
  connections: TurnSources['connections']
  describePicture?: TurnSources['describePicture']
  now(): number
}

/** Everything that prepares turns of chats, the view of their context, and reviews. */
export function turnsFeature({ home, config, store, models, sections, now, ...needs }: Needs) {
  return {
    sources: {
      home,
      store,
      sessions: store.sessions,
      sections,
      projects: needs.projects,
      registry: needs.registry,
      toolsets: needs.toolsets,
      mayOffer: needs.mayOffer,
      connections: needs.connections,
      engineFor: models.engineFor,
      engineAlone: models.engineAlone,
      auxiliaryFor: models.auxiliaryFor,
      advisersOf: models.advisersOf,
      describePicture: needs.describePicture,
      maxIterations: () => config.current.agent.max_iterations,
      now,
    },
    /** Cut results to the size that a model may get. */
    cap: createResultCap(home, config.current.tools, store.marks.keepOutput),
    /** The ids of active runs; background work gives way to them. */
    running: new Set<string>(),
  }
}
