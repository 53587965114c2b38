import { PanelLeft, Search, Settings, SquarePen } from 'lucide-react'
import type { ReactNode } from 'react'
import { useHost } from '../../rpc/host-context.tsx'
import { cx } from '../../ui/style.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import type { Page } from '../../route.ts'
import { pages } from './pages.ts'
import { shownCount, WaitingBadge } from './WaitingBadge.tsx'

type Props = {
  page: Page
  onList: () => void
  onSearch: () => void
  onNew: () => void
  onPage: (page: Page) => void
  onSettings: () => void
}

/** The collapsed sidebar of a narrow window. */
export function Rail(props: Props): ReactNode {
  const { page, onList, onSearch, onNew, onPage, onSettings } = props
  const waiting = useHost(host => Object.values(host.sessions).some(session => session.waiting))
  const open = useHost(host => host.learningOpen)
  return (
    <nav aria-label="Chats" className="flex h-full flex-col items-center gap-1 py-2.5">
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
