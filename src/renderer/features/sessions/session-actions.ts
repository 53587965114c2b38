import type { Session } from '../../../shared/contract/chats/session.ts'
import { byCount } from '../../../shared/text/amounts.ts'
import { showTitle } from '../../../shared/visible-text/show-unseen.ts'
import { readRoute } from '../../route.ts'
import { attemptCall, type Outcome } from '../../rpc/attempt.ts'
import { useHost, useLink } from '../../rpc/host-context.tsx'
import { countOf, plural } from '../../ui/text/format-values.ts'
import { showToast } from '../../ui/Toasts.tsx'

/** How long the toast offers to undo a deletion, in ms. */
const UNDO_MS = 10_000

type Where = { active: boolean; onOpen: (id: string) => void; onNew: () => void }

/** The actions on a chat, for the list, its page and the palette. A toast reports errors. */
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
    void tell(await attemptCall(client['memory.undo']({ revisionIds })))
  const forget = async (ids: string[]) => {
    const forgotten = await attemptCall(client['memory.remove']({ ids }))
    if (!tell(forgotten) || !forgotten.ok) return
    const revisionIds = forgotten.value.revisions.map(revision => revision.id)
    showToast(plural(ids.length, 'It was forgotten.', 'things were forgotten.'), {
      ms: UNDO_MS,
      action: { label: 'Undo', run: () => void undoForget(revisionIds) },
    })
  }
  return {
    rename: async (title: string) => tell(await update(session.id, { title })),
    pin: async (pinned: boolean) => tell(await update(session.id, { pinned })),
    archive: async (archived: boolean) => {
      if (!tell(await update(session.id, { archived }))) return
      const named = `“${showTitle(session.title)}”`
      showToast(
        archived ? `${named} is in the archive. Searches find it.` : `${named} is back in the list.`,
        {
          ms: UNDO_MS,
          action: { label: 'Undo', run: () => void update(session.id, { archived: !archived }).then(tell) },
        },
      )
    },
    remove: async () => {
      if (session.temporary) {
        if (!tell(await removeSession(session.id))) return
        if (active && readRoute(location.hash).chatId === session.id) onNew()
        showToast(`“${showTitle(session.title)}” was temporary. It has ended and is gone for good.`)
        return
      }
      // Request this before the deletion and show it afterwards, so the deletion is not delayed.
      const asked = attemptCall(client['memory.ofChat']({ sessionId: session.id }))
      // A deletion that fails leaves the chat open.
      if (!tell(await removeSession(session.id))) return
      // The user may have opened another chat in the meantime.
      if (active && readRoute(location.hash).chatId === session.id) onNew()
      showToast(`“${showTitle(session.title)}” was deleted. It is under Recently deleted.`, {
        ms: UNDO_MS,
        action: { label: 'Undo', run: () => void restore() },
      })
      const learned = await asked
      const ids = learned.ok ? learned.value.entries.map(entry => entry.id) : []
      if (ids.length === 0) return
      showToast(
        countOf(ids.length, 'thing learned there stays in memory.', 'things learned there stay in memory.'),
        {
          ms: UNDO_MS,
          action: {
            label: byCount(ids.length, 'Forget it too', 'Forget them too'),
            run: () => void forget(ids),
          },
        },
      )
    },
  }
}
