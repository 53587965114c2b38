import type { AppEvent } from '../../../shared/contract/app.ts'
import type { Store } from '../../db/store.ts'
import type { Broadcast } from '../../lib/publish.ts'
import { openProjects } from '../../projects/open-projects.ts'
import { projectHandlers } from '../../projects/project-handlers.ts'

type Needs = {
  home: string
  store: Pick<Store, 'projects' | 'sessions'>
  events: Broadcast<AppEvent>
  publishSession(this: void, id: string): void
}

/** Chats that belong together, and what is set for them. */
export function projectsFeature({ home, store, events, publishSession }: Needs) {
  const projects = openProjects(home, store)
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
