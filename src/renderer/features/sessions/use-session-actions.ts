import type { Session } from '../../../shared/contract/session.ts'
import type { Outcome } from '../../rpc/attempt.ts'
import { useHost } from '../../rpc/host-context.tsx'
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
  const tell = (outcome: Outcome<unknown>) => {
    if (!outcome.ok) showToast(outcome.fault.message, { level: 'error' })
    return outcome.ok
  }
  const restore = async () => {
    if (tell(await restoreSession(session.id)) && active) onOpen(session.id)
  }
  return {
    rename: async (title: string) => tell(await update(session.id, { title })),
    pin: async (pinned: boolean) => tell(await update(session.id, { pinned })),
    remove: async () => {
      if (active) onNew()
      if (!tell(await removeSession(session.id))) return
      showToast(sessionsText.removed(session.title || sessionsText.untitled), {
        ms: UNDO_MS,
        action: { label: sessionsText.undo, run: () => void restore() },
      })
    },
  }
}
