import type { Session } from '../../../shared/contract/session.ts'
import { attempt, type Outcome } from '../../rpc/attempt.ts'
import { useHost, useLink } from '../../rpc/host-context.tsx'
import { showToast } from '../../ui/toasts.ts'
import { sessionsText } from './strings.ts'

/** How long a removal can be undone from the corner. */
const UNDO_MS = 10_000

type Where = { active: boolean; onOpen: (id: string) => void; onNew: () => void }

/** What can be done with a chat in the list; trouble is told in the corner. */
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
    showToast(sessionsText.forgotten(ids.length), {
      ms: UNDO_MS,
      action: { label: sessionsText.undo, run: () => void undoForget(revisionIds) },
    })
  }
  return {
    rename: async (title: string) => tell(await update(session.id, { title })),
    pin: async (pinned: boolean) => tell(await update(session.id, { pinned })),
    remove: async () => {
      if (active) onNew()
      // Asked before the chat is gone, and told after: the removal waits for nothing.
      const asked = attempt(client['memory.ofChat']({ sessionId: session.id }))
      if (!tell(await removeSession(session.id))) return
      showToast(sessionsText.removed(session.title || sessionsText.untitled), {
        ms: UNDO_MS,
        action: { label: sessionsText.undo, run: () => void restore() },
      })
      const learned = await asked
      const ids = learned.ok ? learned.value.entries.map(entry => entry.id) : []
      if (ids.length === 0) return
      showToast(sessionsText.learned(ids.length), {
        ms: UNDO_MS,
        action: { label: sessionsText.forget(ids.length), run: () => void forget(ids) },
      })
    },
  }
}
