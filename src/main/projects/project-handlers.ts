import type { HostHandlers } from '../../shared/contract/index.ts'
import type { Store } from '../db/store.ts'
import type { Projects } from './open-projects.ts'

type Parts = {
  projects: Projects
  store: Pick<Store, 'projects' | 'sessions'>
}

/** Projects: list, create, change, remove and restore them. */
export function projectHandlers({ projects, store }: Parts) {
  return {
    'project.list': async () => ({ projects: await projects.list() }),
    'project.create': given => projects.create(given),
    'project.update': ({ id, ...change }) => projects.update(id, change),
    'project.refreshPrompts'({ id }) {
      projects.get(id)
      const chats = store.projects.chatsOf(id)
      for (const chat of chats) store.sessions.forgetPrompt(chat)
      return { chats: chats.length }
    },
    'project.remove'({ id }) {
      projects.remove(id)
      return {}
    },
    'project.restore': ({ id }) => projects.restore(id),
  } satisfies Partial<HostHandlers>
}
