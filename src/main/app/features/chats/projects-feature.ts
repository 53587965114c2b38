import type { Store } from '../../../db/store.ts'
import { openProjects } from '../../../projects/open-projects.ts'
import type { OtherOption } from '../../../projects/other-options.ts'
import { projectHandlers } from '../../../projects/project-handlers.ts'

type Needs = {
  home: string
  store: Pick<Store, 'projects' | 'sessions'>
  /** Chat options that other parts of the host contribute. */
  options: readonly OtherOption[]
}

/** Groups of chats, and the options set for them. */
export function projectsFeature({ home, store, options }: Needs) {
  const projects = openProjects(home, store, options)
  return {
    projects,
    handlers: projectHandlers({ projects, store }),
  }
}
