import { Archive, PanelLeft, Search, Settings, SquarePen } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { Page } from '../../route.ts'
import { useHost } from '../../rpc/host-context.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Kbd } from '../../ui/InlineText.tsx'
import { cx } from '../../ui/style.ts'
import { PageLinks, pages, shownCount, WaitingBadge, type PageLinksProps } from './PageLinks.tsx'
import { SearchField, SearchResults } from './search/SearchResults.tsx'
import { DeletedLink } from './deleted/DeletedChats.tsx'
import { ArchivedList } from './ArchivedList.tsx'
import { Selectable } from './Selectable.tsx'
import { SessionList } from './SessionList.tsx'

/** What the list of chats is asked to show. Each question is an object of its own. */
export type AskedOfList = { query: string; archived?: true }

type SidebarProps = PageLinksProps & {
  /** The open chat; null on other pages. */
  activeId: string | null
  newChatKey: string
  /** Focus the search field on mount, because the user started a search while the sidebar was hidden. */
  searchFirst?: boolean
  /** What was asked for elsewhere: a search, or the archived chats. */
  asked?: AskedOfList | undefined
  onOpen: (id: string) => void
  onNew: () => void
  onExport: (id: string) => void
  onExportMany: (ids: readonly string[]) => void
  /** Open the deleted chats. */
  onDeleted: () => void
}

/** The list of chats, and the links to all other pages. */
export function Sidebar(props: SidebarProps): ReactNode {
  const { newChatKey, searchFirst = false, asked, onNew } = props
  const [query, setQuery] = useState(asked?.query ?? '')
  const [isArchive, setArchive] = useState(asked?.archived === true)
  const [answered, setAnswered] = useState(asked)
  if (asked && asked !== answered) {
    setAnswered(asked)
    setQuery(asked.query)
    setArchive(asked.archived === true)
  }
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
        {query.trim() === '' ? (
          <Selectable
            key={String(isArchive)}
            activeId={props.activeId}
            onNew={onNew}
            onExport={props.onExportMany}
          >
            {isArchive ? (
              <ArchivedList {...props} onBack={() => setArchive(false)} />
            ) : (
              <SessionList {...props} />
            )}
          </Selectable>
        ) : (
          <SearchResults {...props} query={query.trim()} />
        )}
      </nav>
      <div className="flex gap-1 border-t border-line px-3 py-1">
        <button
          type="button"
          aria-pressed={isArchive}
          className={cx('side-item side-place', isArchive && 'bg-hover text-ink')}
          onClick={() => {
            setQuery('')
            setArchive(!isArchive)
          }}
        >
          <Archive size={14} />
          Archived
        </button>
        <DeletedLink onClick={props.onDeleted} />
      </div>
      <PageLinks {...props} />
    </div>
  )
}

type RailProps = {
  page: Page
  onList: () => void
  onSearch: () => void
  onNew: () => void
  onPage: (page: Page) => void
  onSettings: () => void
}

/** The collapsed sidebar of a narrow window. */
export function Rail(props: RailProps): ReactNode {
  const { page, onList, onSearch, onNew, onPage, onSettings } = props
  const waiting = useHost(host => Object.values(host.sessions).some(session => session.waiting))
  const open = useHost(host => host.learningOpen)
  return (
    <nav aria-label="Chats" className="flex h-full flex-col items-center gap-1 overflow-y-auto py-2.5">
      <IconButton
        label="Open the list of chats"
        aria-haspopup="dialog"
        onClick={onList}
        className="relative size-9"
      >
        <PanelLeft size={18} />
        {waiting && <span aria-hidden="true" className="absolute end-1 top-1 size-2 rounded-full bg-warn" />}
      </IconButton>
      <IconButton label="New chat" onClick={onNew} className="size-9">
        <SquarePen size={18} />
      </IconButton>
      <IconButton label="Search in chats" onClick={onSearch} className="size-9">
        <Search size={18} />
      </IconButton>
      <span className="flex-1" />
      {pages.map(({ page: each, label, Icon }) => {
        const count = each === 'activity' ? open : 0
        return (
          <IconButton
            key={each}
            label={count > 0 ? `${label} ${shownCount(count)} waiting for you` : label}
            aria-current={page === each ? 'page' : undefined}
            onClick={() => onPage(each)}
            className={cx('relative size-9', page === each && 'bg-active text-ink')}
          >
            <Icon size={18} />
            {count > 0 && <WaitingBadge count={count} className="absolute -end-0.5 -top-0.5" />}
          </IconButton>
        )
      })}
      <IconButton label="Settings" onClick={onSettings} className="size-9">
        <Settings size={18} />
      </IconButton>
    </nav>
  )
}
