import { ArrowLeft } from 'lucide-react'
import { useEffect, useRef, type ReactNode } from 'react'
import type { Session } from '../../../shared/contract/chats/session.ts'
import { useHost } from '../../rpc/host-context.tsx'
import { usePages } from '../../rpc/use-answer.ts'
import { Problem } from '../../ui/Banner.tsx'
import { moveRowByKey } from './chat-row-focus.ts'
import { RowList } from './RowList.tsx'
import { SessionRow } from './SessionRow.tsx'

const PAGE = 50

type Props = {
  activeId: string | null
  onBack: () => void
  onOpen: (id: string) => void
  onNew: () => void
  onExport: (id: string) => void
}

/** The archived chats, newest first, with a button back to all chats. */
export function ArchivedList({ activeId, onBack, ...ways }: Props): ReactNode {
  const back = useRef<HTMLButtonElement>(null)
  useEffect(() => back.current?.focus(), [])
  const sessions = useHost(host => host.sessions)
  const know = useHost(host => host.knowSession)
  const version = useHost(host => idsOf(Object.values(host.sessions).filter(({ archived }) => archived)))
  const { items, more, problem, loadMore } = usePages(
    'session.list',
    (known: readonly Session[]) => ({ archived: 'only' as const, limit: PAGE, offset: known.length }),
    ({ sessions: items, more }) => {
      items.forEach(know)
      return { items, more }
    },
    // Events report when a chat is archived or unarchived.
    version,
  )
  const shown = (items ?? []).flatMap(({ id }) => sessions[id] ?? []).filter(({ archived }) => archived)
  const tabId = shown.some(({ id }) => id === activeId) ? activeId : shown[0]?.id
  return (
    <section aria-label="Archived chats">
      <button ref={back} type="button" className="side-item" onClick={onBack}>
        <ArrowLeft size={16} className="rtl:-scale-x-100" />
        All chats
      </button>
      <h2 className="px-2.5 pt-3 pb-1 text-xs font-medium text-ink-3">Archived</h2>
      {problem !== null && <Problem text={problem} />}
      {items && shown.length === 0 && (
        <p className="px-2.5 py-2 text-sm text-ink-3">
          No chat is archived. An archived chat leaves the list, and searches still find it.
        </p>
      )}
      <div role="presentation" onKeyDown={moveRowByKey}>
        <RowList
          entries={shown}
          idsOf={({ id }) => [id]}
          renderEntry={(session, place) => (
            <SessionRow
              key={session.id}
              session={session}
              active={session.id === activeId}
              inTabOrder={session.id === tabId}
              {...place}
              {...ways}
            />
          )}
          tabId={tabId}
        />
      </div>
      {more && (
        <button type="button" className="side-item text-ink-3" onClick={() => void loadMore()}>
          Show more
        </button>
      )}
    </section>
  )
}

const idsOf = (chats: readonly Session[]) => chats.map(({ id }) => id).join(' ')
