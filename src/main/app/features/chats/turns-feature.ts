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
  /** What the prompts of chats are made of. */
  sections: readonly PromptSection[]
  projects: Projects
  registry: Registry
  toolsets: TurnSources['toolsets']
  mayOffer: TurnSources['mayOffer']
  connections: TurnSources['connections']
  describePicture?: TurnSources['describePicture']
  now(): number
}

/** What the turns of chats, the view of their context and their reviews are prepared from. */
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
    /** Cuts results to what a model may get. */
    cap: createResultCap(home, config.current.tools, store.marks.keepOutput),
    /** The ids of the runs that are active, for those who give way to answers. */
    running: new Set<string>(),
  }
}
