import type { AppEvent } from '../../../shared/contract/app.ts'
import type { Store } from '../../db/store.ts'
import type { Broadcast } from '../../lib/publish.ts'
import { openProjects } from '../../projects/open-projects.ts'
import type { OtherOption } from '../../projects/other-options.ts'
import { projectHandlers } from '../../projects/project-handlers.ts'

type Needs = {
  home: string
  store: Pick<Store, 'projects' | 'sessions'>
  events: Broadcast<AppEvent>
  publishSession(this: void, id: string): void
  /** Options of chats that parts of the host bring. */
  options: readonly OtherOption[]
}

/** Chats that belong together, and what is set for them. */
export function projectsFeature({ home, store, events, publishSession, options }: Needs) {
  const projects = openProjects(home, store, options)
  return {
    projects,
    handlers: projectHandlers({
      projects,
      store,
      changed: () => events.publish({ type: 'projects' }),
      publishSession,
    }),
  }
}
