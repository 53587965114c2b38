import {
  CircleQuestionMark,
  Ellipsis,
  PanelLeft,
  PanelLeftOpen,
  Search,
  Settings,
  SquarePen,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { Page } from '../../route.ts'
import { useHost } from '../../rpc/host-context.tsx'
import { useLearningOpen } from '../../rpc/use-lists.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { cx } from '../../ui/style.ts'
import { incomingText, pages, pagesInView, shownCount, useIncomingShare, WaitingBadge } from './PageLinks.tsx'
import { titleOf } from './SideTools.tsx'

type RailProps = {
  page: Page
  /** Open the list of chats over the page, if the window is too narrow for it beside the page. */
  onList: () => void
  /** Expand the sidebar; absent if the window is too narrow for it. */
  onUnfold?: (() => void) | undefined
  onSearch: () => void
  onNew: () => void
  onPage: (page: Page) => void
  onSettings: () => void
  onHelp: () => void
}

/** The sidebar as icons: in a narrow window, and if collapsed in a wide one. */
export function Rail(props: RailProps): ReactNode {
  const { page, onSearch, onNew, onPage, onSettings, onHelp } = props
  const open = useLearningOpen()
  return (
    <div className="side-rail">
      <nav aria-label="Chats" className="rail-part">
        <ListButton {...props} />
        <IconButton label="New chat" onClick={onNew} className="size-9">
          <SquarePen size={18} />
        </IconButton>
        <IconButton label="Search in chats" onClick={onSearch} className="size-9">
          <Search size={18} />
        </IconButton>
      </nav>
      <nav aria-label="Pages" className="rail-part">
        {pagesInView(page).map(({ page: each, label, Icon }) => {
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
        <MorePages page={page} waiting={open} onPage={onPage} />
      </nav>
      <IconButton
        label="Settings"
        aria-current={page === 'settings' ? 'page' : undefined}
        onClick={onSettings}
        className={cx('size-9', page === 'settings' && 'bg-active text-ink')}
      >
        <Settings size={18} />
      </IconButton>
      <IconButton
        label="Help"
        title={titleOf('Help', 'help.open')}
        aria-current={page === 'help' ? 'page' : undefined}
        onClick={onHelp}
        className={cx('size-9', page === 'help' && 'bg-active text-ink')}
      >
        <CircleQuestionMark size={18} />
      </IconButton>
    </div>
  )
}

/** The button that shows the list of chats. A dot means that a chat is waiting for an answer. */
function ListButton({ onList, onUnfold }: Pick<RailProps, 'onList' | 'onUnfold'>) {
  const waiting = useHost(host => Object.values(host.sessions).some(session => session.waiting))
  const dot = waiting && (
    <span aria-hidden="true" className="absolute end-1 top-1 size-2 rounded-full bg-warn" />
  )
  const description = waiting ? 'A chat is waiting for your answer' : undefined
  if (onUnfold)
    return (
      <IconButton
        label="Expand the sidebar"
        title={titleOf('Expand the sidebar', 'sidebar.fold')}
        aria-description={description}
        data-fold=""
        onClick={onUnfold}
        className="relative size-9"
      >
        <PanelLeftOpen size={18} className="rtl:-scale-x-100" />
        {dot}
      </IconButton>
    )
  return (
    <IconButton
      label="Open the list of chats"
      aria-description={description}
      aria-haspopup="dialog"
      onClick={onList}
      className="relative size-9"
    >
      <PanelLeft size={18} className="rtl:-scale-x-100" />
      {dot}
    </IconButton>
  )
}

type MoreProps = { page: Page; waiting: number; onPage: (page: Page) => void }

/** A menu of the pages without an icon, with the number of items waiting there. */
function MorePages({ page, waiting, onPage }: MoreProps) {
  const share = useIncomingShare()
  const shown = pagesInView(page)
  const hidden = pages.filter(each => !shown.includes(each))
  const hints: Partial<Record<Page, string>> = {
    ...(waiting > 0 && { activity: `${shownCount(waiting)} waiting for you` }),
    ...(share !== null && { models: incomingText(share) }),
  }
  const isHidden = (wanted: Page) => hidden.some(each => each.page === wanted)
  const count = isHidden('activity') ? waiting : 0
  const incoming = isHidden('models') ? share : null
  return (
    <Menu
      label="More pages"
      side="above"
      entries={hidden.map(({ page: each, label: name, Icon }) => ({
        id: each,
        label: name,
        icon: <Icon size={16} />,
        onSelect: () => onPage(each),
        ...(hints[each] !== undefined && { hint: hints[each] }),
      }))}
      renderButton={button => (
        <IconButton label={moreText(count, incoming)} className="relative size-9" {...button}>
          <Ellipsis size={18} />
          {count > 0 && <WaitingBadge count={count} className="absolute -end-0.5 -top-0.5" />}
          {incoming !== null && (
            <span aria-hidden="true" className="absolute -end-0.5 bottom-0 text-2xs text-accent">
              ↓
            </span>
          )}
        </IconButton>
      )}
    />
  )
}

function moreText(count: number, share: string | null): string {
  if (share === null)
    return count === 0 ? 'More pages' : `More pages ${shownCount(count)} waiting for you in Activity`
  return count === 0
    ? `More pages, ${share} of the downloads are done`
    : `More pages ${shownCount(count)} waiting for you in Activity, ${share} of the downloads are done`
}
