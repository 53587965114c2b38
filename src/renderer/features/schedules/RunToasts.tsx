import { useEffect, useEffectEvent } from 'react'
import { UNLOOKED } from '../../../shared/words/sub-agent-words.ts'
import { goTo, readRoute } from '../../route.ts'
import { useHost } from '../../rpc/host-context.tsx'
import type { EndedRun } from '../../rpc/host-state.ts'
import { showToast } from '../../ui/Toasts.tsx'

/** How long a toast of a run can be seen, in ms. */
const SHOWN_MS = 10_000

/** Tells of runs of schedules that ended, unless the person looks at the chat. */
export function RunToasts({ onOpenChat }: { onOpenChat: (id: string) => void }): null {
  const ended = useHost(host => host.endedRun)
  const tell = useEffectEvent(({ name, sessionId, ok, unlooked, content }: EndedRun) => {
    const { page, chatId } = readRoute(location.hash)
    if (page === 'chat' && sessionId !== null && chatId === sessionId) return
    const what = content !== '' ? content : unlooked ? `it ${UNLOOKED}.` : 'it has run.'
    showToast(`${name}: ${ok ? what : 'it could not run as planned.'}`, {
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
