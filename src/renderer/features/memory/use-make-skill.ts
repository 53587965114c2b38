import type { MemoryEntry } from '../../../shared/contract/memory.ts'
import { go } from '../../route.ts'
import { attempt } from '../../rpc/attempt.ts'
import { useLink } from '../../rpc/host-context.tsx'
import { showToast } from '../../ui/toasts.ts'
import { useMemoryStore } from './memory-context.ts'

/** Opens a new chat in the entry's project, with an unsent request to turn the entry into a skill. */
export function useMakeSkill(): (entry: MemoryEntry) => Promise<void> {
  const { client } = useLink()
  const store = useMemoryStore()

  return async ({ text, project }) => {
    const folder = store.getState().view?.projects.find(each => each.id === project)?.folder
    const made = await attempt(client['session.create'](folder ? { workspace: folder } : {}))
    if (!made.ok) return showToast(made.fault.message, { level: 'error' })
    const { id } = made.value
    const kept = await attempt(
      client['session.update']({
        id,
        draft: `Make a skill of this note: “${text.trim()}”. Write down when to use it and the steps, and ask me what is missing.`,
      }),
    )
    if (!kept.ok) showToast(kept.fault.message, { level: 'error' })
    go({ chatId: id })
  }
}
