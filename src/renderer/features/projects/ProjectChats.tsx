import { MessageSquare, SquarePen } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import type { Project } from '../../../shared/contract/chats/projects.ts'
import { showTitle } from '../../../shared/visible-text/show-unseen.ts'
import { useHost } from '../../rpc/host-context.tsx'
import { When } from '../../ui/text/InlineText.tsx'
import { formatCount } from '../../ui/text/format-values.ts'

/** How many chats are shown until *All chats* is pressed. */
const FIRST = 5

type Props = {
  project: Project
  onOpenChat: (id: string) => void
  onNewChat: (projectId: string) => void
}

/** The newest chats of a project, and the button that starts a new one. */
export function ProjectChats({ project, onOpenChat, onNewChat }: Props): ReactNode {
  const { id, chats } = project
  const load = useHost(host => host.loadGroup)
  const sessions = useHost(host => host.sessions)
  const [isWhole, setWhole] = useState(false)
  useEffect(() => {
    if (chats > 0) void load({ projectId: id })
  }, [id, chats, load])
  const known = Object.values(sessions)
    .filter(({ projectId, archived }) => projectId === id && !archived)
    .toSorted((a, b) => b.updatedAt - a.updatedAt)
  return (
    <section aria-label="Chats of the project" className="grid justify-items-start gap-1">
      <button type="button" className="btn btn-secondary" onClick={() => onNewChat(id)}>
        <SquarePen size={16} />
        New chat in this project
      </button>
      {known.length > 0 && (
        <ul aria-label="Its chats" className="w-full">
          {known.slice(0, isWhole ? known.length : FIRST).map(session => (
            <li key={session.id}>
              <button type="button" className="starter" onClick={() => onOpenChat(session.id)}>
                <MessageSquare size={16} className="shrink-0 text-ink-3" />
                <span dir="auto" className="min-w-0 flex-1 truncate">
                  {showTitle(session.title)}
                </span>
                <span className="shrink-0 text-xs text-ink-3">
                  <When at={session.updatedAt} />
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {known.length > FIRST && !isWhole && (
        <button type="button" className="btn btn-quiet" onClick={() => setWhole(true)}>
          {`All ${formatCount(known.length)} chats`}
        </button>
      )}
    </section>
  )
}
