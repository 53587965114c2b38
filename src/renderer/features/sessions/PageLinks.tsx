import {
  Box,
  Brain,
  CalendarClock,
  Folders,
  History,
  Keyboard,
  MessageSquare,
  Plug,
  Send,
  Settings,
  Sparkles,
  type LucideIcon,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { Page } from '../../route.ts'
import { useHost } from '../../rpc/host-context.tsx'
import { incomingShare } from '../../rpc/host-state.ts'
import { formatShare } from '../../ui/format.ts'
import { Kbd } from '../../ui/InlineText.tsx'
import { cx } from '../../ui/style.ts'

/** `words`: other words to find it by. */
type PageText = { page: Page; label: string; Icon: LucideIcon; words?: string }

/** The pages of the window, in sidebar order. */
export const pages: readonly PageText[] = [
  { page: 'chat', label: 'Chat', Icon: MessageSquare },
  { page: 'projects', label: 'Projects', Icon: Folders },
  { page: 'memory', label: 'Memory', Icon: Brain },
  { page: 'skills', label: 'Skills', Icon: Sparkles },
  { page: 'activity', label: 'Activity', Icon: History },
  { page: 'schedules', label: 'Schedules', Icon: CalendarClock },
  { page: 'connections', label: 'Connections', Icon: Plug },
  { page: 'messengers', label: 'Messengers', Icon: Send, words: 'telegram phone bot pair contacts' },
  { page: 'models', label: 'Models', Icon: Box },
]

export type PageLinksProps = {
  page: Page
  onPage: (page: Page) => void
  onSettings: () => void
  onShortcuts: () => void
}

/** Links to the pages and dialogs of the window. */
export function PageLinks({ page, onPage, onSettings, onShortcuts }: PageLinksProps): ReactNode {
  const open = useHost(host => host.learningOpen)
  return (
    <div className="grid gap-0.5 border-t border-line p-3">
      <nav aria-label="Pages" className="grid gap-0.5">
        {pages.map(({ page: each, label, Icon }) => (
          <PageLink
            key={each}
            here={page === each}
            label={label}
            count={each === 'activity' ? open : 0}
            incoming={each === 'models'}
            onClick={() => onPage(each)}
          >
            <Icon size={16} />
          </PageLink>
        ))}
      </nav>
      <PageLink here={page === 'settings'} label="Settings" keys="mod+," onClick={onSettings}>
        <Settings size={16} />
      </PageLink>
      <PageLink label="Keyboard shortcuts" keys="mod+/" onClick={onShortcuts}>
        <Keyboard size={16} />
      </PageLink>
    </div>
  )
}

type PageLinkProps = {
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

function PageLink({ here, label, count = 0, keys, incoming, onClick, children }: PageLinkProps) {
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

/** The text of the count, capped at 99+. */
export const shownCount = (count: number) => (count > 99 ? '99+' : String(count))

/** The number of items on a page that wait for the user. */
export function WaitingBadge({ count, className }: { count: number; className?: string }): ReactNode {
  return <span className={cx('waiting-badge', className)}>{shownCount(count)}</span>
}
