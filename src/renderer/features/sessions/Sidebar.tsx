import { SquarePen } from 'lucide-react'
import { useState, type KeyboardEvent, type ReactNode } from 'react'
import type { Page } from '../../route.ts'
import { isKey } from '../../ui/keyboard/keys.ts'
import { Kbd } from '../../ui/text/InlineText.tsx'
import { ArchivedList } from './ArchivedList.tsx'
import { focusSearch } from './chat-row-focus.ts'
import { PageLinks } from './PageLinks.tsx'
import { SearchField, SearchResults } from './search/SearchResults.tsx'
import { Selectable } from './Selectable.tsx'
import { SessionList } from './SessionList.tsx'
import { SideTools, type SideToolsProps } from './SideTools.tsx'

/** What the list of chats should show. Each request is a new object. */
export type AskedOfList = { query: string; archived?: true }

type SidebarProps = SideToolsProps & {
  onPage: (page: Page) => void
  /** The open chat; null on other pages. */
  activeId: string | null
  newChatKey: string
  /** Focus the search field on mount, because the user started a search while the sidebar was hidden. */
  searchFirst?: boolean
  /** What another part of the window asked to see: a search, or the archived chats. */
  asked?: AskedOfList | undefined
  onOpen: (id: string) => void
  onNew: () => void
  onExport: (id: string) => void
  onExportMany: (ids: readonly string[]) => void
}

/**
 * The list of chats, which takes most of the height, with links to all other pages below. A search hides
 * everything but the icons.
 */
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
  const isSearch = query.trim() !== ''
  const leaveSearch = (event: KeyboardEvent) => {
    // An open menu of the filters closes first.
    if (!isKey(event, 'escape') || document.querySelector('[popover]:popover-open')) return
    event.preventDefault()
    setQuery('')
    focusSearch()
  }
  return (
    <div className="flex h-full min-h-0 flex-col overflow-y-auto">
      <div className="grid shrink-0 gap-1 p-3 pb-1">
        <button type="button" className="side-item font-medium" onClick={onNew}>
          <SquarePen size={16} />
          <span className="flex-1">New chat</span>
          <Kbd keys={newChatKey} />
        </button>
        <SearchField query={query} onQuery={setQuery} focused={searchFirst} />
      </div>
      <nav aria-label="Chats" className="side-list">
        {isSearch ? (
          <div role="presentation" onKeyDown={leaveSearch}>
            <SearchResults {...props} query={query.trim()} />
          </div>
        ) : (
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
        )}
      </nav>
      {!isSearch && <PageLinks page={props.page} onPage={props.onPage} />}
      <SideTools
        {...props}
        isArchive={isArchive}
        onArchive={() => {
          setQuery('')
          setArchive(isSearch || !isArchive)
        }}
      />
    </div>
  )
}
