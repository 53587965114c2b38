import { useEffect, useEffectEvent } from 'react'
import { goTo, readRoute } from '../../route.ts'
import { useHost } from '../../rpc/host-context.tsx'
import type { EndedRun } from '../../rpc/host-state.ts'
import { showToast } from '../../ui/Toasts.tsx'

/** How long the toast of a run is shown, in ms. */
const SHOWN_MS = 10_000

/** Reports finished schedule runs in a toast, unless the user is looking at the chat. */
export function RunToasts({ onOpenChat }: { onOpenChat: (id: string) => void }): null {
  const ended = useHost(host => host.endedRun)
  const tell = useEffectEvent(({ name, sessionId, ok, unlooked, content }: EndedRun) => {
    const { page, chatId } = readRoute(location.hash)
    if (page === 'chat' && sessionId !== null && chatId === sessionId) return
    const done = unlooked ? 'Answered without checking anything.' : 'Finished.'
    showToast(`${name}: ${ok ? content || done : 'Could not run as planned.'}`, {
      about: `schedule ${name}`,
      level: ok ? 'info' : 'error',
      ms: SHOWN_MS,
      action: {
        label: 'Open',
        run: () => (sessionId === null ? goTo({ page: 'schedules' }) : onOpenChat(sessionId)),
      },
    })
  })
  useEffect(() => {
    if (ended) tell(ended)
  }, [ended])
  return null
}
