import { Keyboard, Settings, SquarePen } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useHost } from '../../rpc/host-context.tsx'
import { incomingShare } from '../../rpc/host-state.ts'
import { cx } from '../../ui/style.ts'
import { formatShare } from '../../ui/format.ts'
import type { Page } from '../../route.ts'
import { Kbd } from '../../ui/InlineText.tsx'
import { pages } from './pages.ts'
import { SearchField } from './search/SearchField.tsx'
import { SearchResults } from './search/SearchResults.tsx'
import { SessionList } from './SessionList.tsx'
import { WaitingBadge } from './WaitingBadge.tsx'

export type SidebarProps = {
  page: Page
  /** The open chat; null on other pages. */
  activeId: string | null
  newChatKey: string
  /** Focus the search field on mount, because the user started a search while the sidebar was hidden. */
  searchFirst?: boolean
  onOpen: (id: string) => void
  onNew: () => void
  onPage: (page: Page) => void
  onSettings: () => void
  onShortcuts: () => void
}

/** The list of chats, and the links to all other pages. */
export function Sidebar(props: SidebarProps): ReactNode {
  const { newChatKey, searchFirst = false, onNew } = props
  const [query, setQuery] = useState('')
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="grid gap-1 p-3">
        <button type="button" className="side-item font-medium" onClick={onNew}>
          <SquarePen size={16} />
          <span className="flex-1">New chat</span>
          <Kbd keys={newChatKey} />
        </button>
        <SearchField query={query} onQuery={setQuery} focused={searchFirst} />
      </div>
      <nav aria-label="Chats" className="min-h-0 flex-1 overflow-y-auto px-3 pb-3">
        {query.trim() === '' ? <SessionList {...props} /> : <SearchResults {...props} query={query.trim()} />}
      </nav>
      <Ways {...props} />
    </div>
  )
}

/** Links to the pages and dialogs of the window. */
function Ways({ page, onPage, onSettings, onShortcuts }: SidebarProps) {
  const open = useHost(host => host.learningOpen)
  return (
    <div className="grid gap-0.5 border-t border-line p-3">
      <nav aria-label="Pages" className="grid gap-0.5">
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
      <Way here={page === 'settings'} label="Settings" keys="mod+," onClick={onSettings}>
        <Settings size={16} />
      </Way>
      <Way label="Keyboard shortcuts" keys="mod+/" onClick={onShortcuts}>
        <Keyboard size={16} />
      </Way>
    </div>
  )
}

type WayProps = {
  here?: boolean
  label: string
  /** Number of items there that wait for the user. */
  count?: number
  keys?: string
  /** Whether to show download progress here. */
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
          <span className="sr-only">waiting for you</span>
        </>
      )}
      {incoming && <Incoming />}
      {keys !== undefined && <Kbd keys={keys} />}
    </button>
  )
}

/** Progress of the running downloads. */
function Incoming() {
  const share = useHost(host => incomingShare(host.transfers))
  if (share === null) return null
  const text = formatShare(share)
  return (
    <span className="text-xs text-accent" title={`${text} of the downloads are here`}>
      {`↓ ${text}`}
    </span>
  )
}
