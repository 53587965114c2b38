import type { HostClient } from '../../../shared/contract/index.ts'
import type { Session } from '../../../shared/contract/chats/session.ts'
import { attemptCall, type Outcome } from '../../rpc/attempt.ts'
import { useHostStore, useLink } from '../../rpc/host-context.tsx'
import { plural } from '../../ui/text/format-values.ts'
import { showToast } from '../../ui/Toasts.tsx'

type Change = Parameters<HostClient['session.changeAll']>[0]['change']

/** How long the toast offers to undo, in ms. */
const UNDO_MS = 10_000

/** Functions that change many chats together. Each shows a toast with Undo and resolves to its success. */
export function useManyChats() {
  const { client } = useLink()
  const host = useHostStore()
  const tell = (outcome: Outcome<unknown>) => {
    if (!outcome.ok) showToast(outcome.fault.message, { level: 'error' })
    return outcome.ok
  }
  const say = (text: string, undo: () => void) =>
    showToast(text, { ms: UNDO_MS, action: { label: 'Undo', run: undo } })

  return {
    async change(ids: readonly string[], change: Change): Promise<boolean> {
      const { sessions } = host.getState()
      const isEnding = 'removed' in change && change.removed
      const ended = isEnding ? ids.filter(id => sessions[id]?.temporary) : []
      const changed = await attemptCall(client['session.changeAll']({ ids: [...ids], change }))
      if (!tell(changed) || !changed.ok) return false
      if (ended.length > 0)
        showToast(
          plural(
            ended.length,
            '1 temporary chat has ended. It is gone for good.',
            'temporary chats have ended. They are gone for good.',
          ),
        )
      const done = changed.value.ids
      if (done.length === 0) return true
      const undo = async () =>
        void tell(await attemptCall(client['session.changeAll']({ ids: done, change: opposite(change) })))
      say(doneText(done.length, change), () => void undo())
      return true
    },
    /** Move chats to a project, or with null out of their projects. Undo moves each back. */
    async moveTo(chats: readonly Session[], project: { id: string; name: string } | null): Promise<boolean> {
      const before = chats.filter(chat => chat.projectId !== (project?.id ?? null))
      const { updateSession } = host.getState()
      for (const { id } of before)
        if (!tell(await updateSession(id, { projectId: project?.id ?? null }))) return false
      const undo = async () => {
        for (const { id, projectId } of before) if (!tell(await updateSession(id, { projectId }))) return
      }
      const moved = project
        ? plural(
            before.length,
            `1 chat was moved to “${project.name}”.`,
            `chats were moved to “${project.name}”.`,
          )
        : plural(
            before.length,
            '1 chat was removed from its project.',
            'chats were removed from their projects.',
          )
      if (before.length > 0) say(moved, () => void undo())
      return true
    },
  }
}

function opposite(change: Change): Change {
  if ('archived' in change) return { archived: !change.archived }
  return 'pinned' in change ? { pinned: !change.pinned } : { removed: !change.removed }
}

function doneText(count: number, change: Change): string {
  if ('archived' in change)
    return change.archived
      ? plural(
          count,
          '1 chat is in the archive. Searches find it.',
          'chats are in the archive. Searches find them.',
        )
      : plural(count, '1 chat is back in the list.', 'chats are back in the list.')
  if ('pinned' in change)
    return change.pinned
      ? plural(count, '1 chat is pinned.', 'chats are pinned.')
      : plural(count, '1 chat is no longer pinned.', 'chats are no longer pinned.')
  return plural(
    count,
    '1 chat was deleted. See Recently deleted.',
    'chats were deleted. See Recently deleted.',
  )
}
