import type { HostHandlers } from '../../shared/contract/index.ts'
import type { Store } from '../db/store.ts'
import type { Projects } from './open-projects.ts'

type Parts = {
  projects: Projects
  store: Pick<Store, 'projects' | 'sessions'>
  /** Tell every window that projects have changed. */
  changed(): void
  /** Tell every window that a chat has changed. */
  publishSession(id: string): void
}

/** Projects: list, make, change, remove and restore them. */
export function projectHandlers({ projects, store, changed, publishSession }: Parts) {
  const tell = <T>(result: T): T => {
    changed()
    return result
  }
  /** A chat without its project, or with it again. */
  const tellChats = (id: string) => store.projects.chatsOf(id).forEach(publishSession)

  return {
    'project.list': async () => ({ projects: await projects.list() }),
    'project.create': async given => tell(await projects.create(given)),
    'project.update': async ({ id, ...change }) => tell(await projects.update(id, change)),
    'project.refreshPrompts'({ id }) {
      projects.get(id)
      const chats = store.projects.chatsOf(id)
      for (const chat of chats) store.sessions.forgetPrompt(chat)
      return { chats: chats.length }
    },
    'project.remove'({ id }) {
      projects.remove(id)
      tellChats(id)
      return tell({})
    },
    async 'project.restore'({ id }) {
      const restored = await projects.restore(id)
      tellChats(id)
      return tell(restored)
    },
  } satisfies Partial<HostHandlers>
}
