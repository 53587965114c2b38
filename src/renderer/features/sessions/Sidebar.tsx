import { Keyboard, Settings, SquarePen } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useHost } from '../../rpc/host-context.tsx'
import { incomingShare } from '../../rpc/incoming.ts'
import { cx } from '../../ui/cx.ts'
import { formatShare } from '../../ui/format.ts'
import type { Page } from '../../route.ts'
import { Kbd } from '../../ui/Kbd.tsx'
import { pages } from './pages.ts'
import { SearchField } from './search/SearchField.tsx'
import { SearchResults } from './search/SearchResults.tsx'
import { SessionList } from './SessionList.tsx'
import { sessionsText } from './strings.ts'
import { WaitingBadge } from './WaitingBadge.tsx'

export type SidebarProps = {
  page: Page
  /** The chat that is shown; none while another page is. */
  activeId: string | null
  newChatKey: string
  /** Start in the search field: the person asked to search, and the list was not there. */
  searchFirst?: boolean
  onOpen: (id: string) => void
  onNew: () => void
  onPage: (page: Page) => void
  onSettings: () => void
  onShortcuts: () => void
}

/** The list of chats, and the ways to everything that is not a chat. */
export function Sidebar(props: SidebarProps): ReactNode {
  const { newChatKey, searchFirst = false, onNew } = props
  const [query, setQuery] = useState('')
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="grid gap-1 p-3">
        <button type="button" className="side-item font-medium" onClick={onNew}>
          <SquarePen size={16} />
          <span className="flex-1">{sessionsText.newChat}</span>
          <Kbd keys={newChatKey} />
        </button>
        <SearchField query={query} onQuery={setQuery} focused={searchFirst} />
      </div>
      <nav aria-label={sessionsText.chats} className="min-h-0 flex-1 overflow-y-auto px-3 pb-3">
        {query.trim() === '' ? <SessionList {...props} /> : <SearchResults {...props} query={query.trim()} />}
      </nav>
      <Ways {...props} />
    </div>
  )
}

/** The pages of the window, and what lies over them. */
function Ways({ page, onPage, onSettings, onShortcuts }: SidebarProps) {
  const open = useHost(host => host.learningOpen)
  return (
    <div className="grid gap-0.5 border-t border-line p-3">
      <nav aria-label={sessionsText.pages} className="grid gap-0.5">
        {pages.map(({ page: each, label, Icon }) => (
          <Way
            key={each}
            here={page === each}
            label={label}
            count={each === 'activity' ? open : 0}
            incoming={each === 'models'}
            onClick={() => onPage(each)}
          >
            <Icon size={16} />
          </Way>
        ))}
      </nav>
      <Way here={page === 'settings'} label={sessionsText.settings} keys="mod+," onClick={onSettings}>
        <Settings size={16} />
      </Way>
      <Way label={sessionsText.shortcuts} keys="mod+/" onClick={onShortcuts}>
        <Keyboard size={16} />
      </Way>
    </div>
  )
}

type WayProps = {
  here?: boolean
  label: string
  /** How much waits there for the person. */
  count?: number
  keys?: string
  /** Whether the files that are coming are told of here. */
  incoming?: boolean
  onClick: () => void
  children: ReactNode
}

function Way({ here = false, label, count = 0, keys, incoming = false, onClick, children }: WayProps) {
  return (
    <button
      type="button"
      aria-current={here ? 'page' : undefined}
      className={cx('side-item', here && 'bg-hover font-medium text-ink')}
      onClick={onClick}
    >
      {children}
      <span className="flex-1">{label}</span>
      {count > 0 && (
        <>
          <WaitingBadge count={count} />
          <span className="sr-only">{sessionsText.waitingForYou}</span>
        </>
      )}
      {incoming && <Incoming />}
      {keys !== undefined && <Kbd keys={keys} />}
    </button>
  )
}

/** How much of the downloads is here, while something comes. */
function Incoming() {
  const share = useHost(host => incomingShare(host.transfers))
  if (share === null) return null
  const text = formatShare(share)
  return (
    <span className="text-xs text-accent" title={sessionsText.comingHint(text)}>
      {sessionsText.coming(text)}
    </span>
  )
}
