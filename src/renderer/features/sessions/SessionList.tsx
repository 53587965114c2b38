import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { useHost } from '../../rpc/host-context.tsx'
import { groupSessions } from './group-sessions.ts'
import { moveByKey } from './rows.ts'
import { SessionRow } from './SessionRow.tsx'
import { sessionsText } from './strings.ts'

type Props = { activeId: string | null; onOpen: (id: string) => void; onNew: () => void }

/** All chats, by day; more are fetched when the end comes into sight. */
export function SessionList({ activeId, onOpen, onNew }: Props): ReactNode {
  const sessions = useHost(host => host.sessions)
  const loaded = useHost(host => host.sessionsLoaded)
  const today = useToday()
  const groups = useMemo(() => groupSessions(Object.values(sessions), today), [sessions, today])
  // One row takes part in the tab order; the arrows reach the others.
  const shown = groups.flatMap(group => group.sessions)
  const tabId = shown.some(session => session.id === activeId) ? activeId : shown[0]?.id

  if (loaded && shown.length === 0)
    return <p className="px-2.5 py-2 text-sm text-ink-3">{sessionsText.none}</p>
  return (
    <div role="presentation" onKeyDown={moveByKey}>
      {groups.map(group => (
        <section key={group.id} aria-labelledby={`group-${group.id}`}>
          <h2 id={`group-${group.id}`} className="px-2.5 pt-3 pb-1 text-xs font-medium text-ink-3">
            {sessionsText.groups[group.id]}
          </h2>
          <ul>
            {group.sessions.map(session => (
              <SessionRow
                key={session.id}
                session={session}
                active={session.id === activeId}
                inTabOrder={session.id === tabId}
                onOpen={onOpen}
                onNew={onNew}
              />
            ))}
          </ul>
        </section>
      ))}
      <More key={Object.keys(sessions).length} />
    </div>
  )
}

/** Mounted anew after every page: one that does not fill the window must ask for the next. */
function More() {
  const more = useHost(host => host.moreSessions)
  const load = useHost(host => host.loadMoreSessions)
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = end.current
    if (!more || !element) return
    const seen = new IntersectionObserver(entries => {
      if (entries.some(entry => entry.isIntersecting)) void load()
    })
    seen.observe(element)
    return () => seen.disconnect()
  }, [more, load])
  return <div ref={end} className="h-px" />
}

/** The day, for a window that stays open over midnight. */
function useToday(): Date {
  const [today, setToday] = useState(() => new Date())
  useEffect(() => {
    const look = () =>
      setToday(before => (before.toDateString() === new Date().toDateString() ? before : new Date()))
    const timer = setInterval(look, 60_000)
    return () => clearInterval(timer)
  }, [])
  return today
}
