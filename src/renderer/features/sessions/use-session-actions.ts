import type { Session } from '../../../shared/contract/session.ts'
import { attempt, type Outcome } from '../../rpc/attempt.ts'
import { useHost, useLink } from '../../rpc/host-context.tsx'
import { showToast } from '../../ui/toasts.ts'

/** How long the toast offers to undo a deletion, in ms. */
const UNDO_MS = 10_000

type Where = { active: boolean; onOpen: (id: string) => void; onNew: () => void }

/** Actions on a chat in the list. A toast reports errors. */
export function useSessionActions(session: Session, { active, onOpen, onNew }: Where) {
  const update = useHost(host => host.updateSession)
  const removeSession = useHost(host => host.removeSession)
  const restoreSession = useHost(host => host.restoreSession)
  const { client } = useLink()
  const tell = (outcome: Outcome<unknown>) => {
    if (!outcome.ok) showToast(outcome.fault.message, { level: 'error' })
    return outcome.ok
  }
  const restore = async () => {
    if (tell(await restoreSession(session.id)) && active) onOpen(session.id)
  }
  const undoForget = async (revisionIds: number[]) =>
    void tell(await attempt(client['memory.undo']({ revisionIds })))
  const forget = async (ids: string[]) => {
    const forgotten = await attempt(client['memory.remove']({ ids }))
    if (!tell(forgotten) || !forgotten.ok) return
    const revisionIds = forgotten.value.revisions.map(revision => revision.id)
    showToast(ids.length === 1 ? 'It was forgotten.' : `${ids.length} things were forgotten.`, {
      ms: UNDO_MS,
      action: { label: 'Undo', run: () => void undoForget(revisionIds) },
    })
  }
  return {
    rename: async (title: string) => tell(await update(session.id, { title })),
    pin: async (pinned: boolean) => tell(await update(session.id, { pinned })),
    remove: async () => {
      if (active) onNew()
      // Request this before the deletion and show it afterwards, so the deletion is not delayed.
      const asked = attempt(client['memory.ofChat']({ sessionId: session.id }))
      if (!tell(await removeSession(session.id))) return
      showToast(`“${session.title || 'New chat'}” was removed.`, {
        ms: UNDO_MS,
        action: { label: 'Undo', run: () => void restore() },
      })
      const learned = await asked
      const ids = learned.ok ? learned.value.entries.map(entry => entry.id) : []
      if (ids.length === 0) return
      showToast(
        ids.length === 1
          ? '1 thing learned there stays in memory.'
          : `${ids.length} things learned there stay in memory.`,
        {
          ms: UNDO_MS,
          action: {
            label: ids.length === 1 ? 'Forget it too' : 'Forget them too',
            run: () => void forget(ids),
          },
        },
      )
    },
  }
}
