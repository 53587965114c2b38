import { Keyboard, Settings, SquarePen } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Kbd } from '../../ui/Kbd.tsx'
import { SearchField } from './SearchField.tsx'
import { SearchResults } from './SearchResults.tsx'
import { SessionList } from './SessionList.tsx'
import { sessionsText } from './strings.ts'

export type SidebarProps = {
  activeId: string | null
  newChatKey: string
  /** Start in the search field: the person asked to search, and the list was not there. */
  searchFirst?: boolean
  onOpen: (id: string) => void
  onNew: () => void
  onSettings: () => void
  onShortcuts: () => void
}

/** The list of chats, and the ways to everything that is not a chat. */
export function Sidebar(props: SidebarProps): ReactNode {
  const { newChatKey, searchFirst = false, onNew, onSettings, onShortcuts } = props
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
      <div className="grid gap-0.5 border-t border-line p-3">
        <button type="button" className="side-item" onClick={onSettings}>
          <Settings size={16} />
          <span className="flex-1">{sessionsText.settings}</span>
          <Kbd keys="mod+," />
        </button>
        <button type="button" className="side-item" onClick={onShortcuts}>
          <Keyboard size={16} />
          <span className="flex-1">{sessionsText.shortcuts}</span>
          <Kbd keys="mod+/" />
        </button>
      </div>
    </div>
  )
}
