import {
  Box,
  Brain,
  CalendarClock,
  ChevronUp,
  Ellipsis,
  Folders,
  History,
  MessageSquare,
  Plug,
  Send,
  Sparkles,
  type LucideIcon,
} from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { Page } from '../../route.ts'
import { useLearningOpen, useTransfers } from '../../rpc/use-lists.ts'
import { incomingShare } from '../../rpc/host-state.ts'
import { keepValue, readKept } from '../../ui/local-storage.ts'
import { formatShare } from '../../ui/text/format-values.ts'
import { cx } from '../../ui/style.ts'
import { placeElements } from '../../ui/text/place-elements.tsx'

/** `isDaily`: always in view; the other pages are under *More*. `words`: other words that find the page. */
type PageText = { page: Page; label: string; Icon: LucideIcon; isDaily?: true; words?: string }

/** The pages of the window, in sidebar order. */
export const pages: readonly PageText[] = [
  { page: 'chat', label: 'Chat', Icon: MessageSquare, isDaily: true },
  { page: 'projects', label: 'Projects', Icon: Folders, isDaily: true },
  { page: 'schedules', label: 'Schedules', Icon: CalendarClock, isDaily: true },
  { page: 'memory', label: 'Memory', Icon: Brain },
  { page: 'skills', label: 'Skills', Icon: Sparkles },
  { page: 'activity', label: 'Activity', Icon: History },
  { page: 'connections', label: 'Connections', Icon: Plug },
  { page: 'messengers', label: 'Messengers', Icon: Send, words: 'telegram phone bot pair contacts' },
  { page: 'models', label: 'Models', Icon: Box },
]

/** The pages in view while the others are under *More*: the daily ones, and the current page. */
export const pagesInView = (page: Page): readonly PageText[] =>
  pages.filter(each => each.isDaily || each.page === page)

/** The storage key of the group of pages, and its value if open. @internal Tests open the group by it. */
export const MORE_KEPT = { key: 'sidebar.more', open: 'open' }

const onlyHeard = (words: string) => <span className="sr-only">{words}</span>

/** Links to the pages of the window. *More* shows the less used pages above itself, and does not move. */
export function PageLinks({ page, onPage }: { page: Page; onPage: (page: Page) => void }): ReactNode {
  const [isOpen, setOpen] = useState(() => readKept(MORE_KEPT.key) === MORE_KEPT.open)
  const waiting = useLearningOpen()
  const shown = isOpen ? pages : pagesInView(page)
  const isHidden = (wanted: Page) => !shown.some(each => each.page === wanted)
  const toggle = () => {
    keepValue(MORE_KEPT.key, isOpen ? '' : MORE_KEPT.open)
    setOpen(!isOpen)
  }
  return (
    <nav aria-label="Pages" className="page-links">
      <div className="page-rows">
        {shown.map(({ page: each, label, Icon }) => (
          <button
            key={each}
            type="button"
            aria-current={page === each ? 'page' : undefined}
            className={cx('side-item page-link', page === each && 'bg-hover font-medium text-ink')}
            onClick={() => onPage(each)}
          >
            <Icon size={16} className="shrink-0" />
            <span className="flex-1 truncate">{label}</span>
            {each === 'activity' && <Waiting count={waiting} says="waiting for you" />}
            {each === 'models' && <Incoming />}
          </button>
        ))}
      </div>
      <button type="button" aria-expanded={isOpen} className="side-item page-link shrink-0" onClick={toggle}>
        <Ellipsis size={16} className="shrink-0" />
        <span className="flex-1 truncate">
          {placeElements('More<rest> pages</rest>', { rest: onlyHeard })}
        </span>
        {isHidden('models') && <Incoming />}
        {isHidden('activity') && <Waiting count={waiting} says="waiting for you in Activity" />}
        <ChevronUp
          size={14}
          className={cx('shrink-0 text-ink-3 transition-transform', isOpen && 'rotate-180')}
        />
      </button>
    </nav>
  )
}

function Waiting({ count, says }: { count: number; says: string }) {
  if (count === 0) return null
  return (
    <>
      <WaitingBadge count={count} />
      <span className="sr-only">{says}</span>
    </>
  )
}

/** Progress of the running downloads. */
function Incoming() {
  const share = useIncomingShare()
  if (share === null) return null
  return (
    <span className="text-xs text-accent" title={incomingText(share)}>
      {`↓ ${share}`}
      <span className="sr-only"> of the downloads are done</span>
    </span>
  )
}

/** The progress of the running downloads in percent; null without any. */
export function useIncomingShare(): string | null {
  const share = incomingShare(useTransfers())
  return share === null ? null : formatShare(share)
}

/** The progress of the running downloads as a sentence. */
export const incomingText = (share: string): string => `${share} of the downloads are done`

/** The text of the count, capped at 99+. */
export const shownCount = (count: number) => (count > 99 ? '99+' : String(count))

/** The number of items on a page that are waiting for the user. */
export function WaitingBadge({ count, className }: { count: number; className?: string }): ReactNode {
  return <span className={cx('waiting-badge', className)}>{shownCount(count)}</span>
}
