import { Brain, ChevronDown, Ellipsis, MessageSquare, Sparkles, Undo2 } from 'lucide-react'
import { useId, useMemo, type ReactNode } from 'react'
import { goTo } from '../../route.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { Kbd } from '../../ui/text/InlineText.tsx'
import { Menu, type MenuEntry } from '../../ui/Menu.tsx'
import { cx } from '../../ui/style.ts'
import type { UndoSelection } from './activity-state.ts'
import { undoTitles } from './UndoMany.tsx'
import { useActivity, useActivityActions } from './use-activity.ts'
import { showHidden } from '../../../shared/visible-text/show-hidden.ts'

/** Badges of cards. */
export const cardStates = {
  open: 'Waiting',
  kept: 'Kept',
  rejected: 'Rejected',
  undone: 'Undone',
  dropped: 'Dropped',
  saved: 'Saved',
  part: 'Partly undone',
}

type Props = {
  id: string
  headline: string
  kind: 'memory' | 'skill'
  /** Whether the card waits for a decision. Such cards are open by default. */
  waits?: boolean
  badge: { text: string; tone: 'plain' | 'good' | 'muted' } | null
  /** A sentence below the headline; empty for none. */
  note?: string
  /** A line below the note. */
  meta: ReactNode
  /** Rendered before the headline. */
  start?: ReactNode
  /** Rendered after the headline. */
  end?: ReactNode
  /** Shown only when the card is open. */
  detail: ReactNode
  /** Always shown, below the rest. */
  children?: ReactNode
}

/** A change or proposal as a card: a headline that expands to the details. */
export function ActivityCard(props: Props): ReactNode {
  const { id, headline, kind, waits = false, badge, note = '', meta, start, end, detail, children } = props
  const isTurned = useActivity(activity => activity.turned.has(id))
  const turn = useActivity(activity => activity.turn)
  const detailId = useId()
  const isOpen = waits !== isTurned
  const Sign = kind === 'memory' ? Brain : Sparkles
  return (
    <li data-card-box="" className={cx('card', waits && 'card-waits')}>
      <div className="flex items-start gap-2.5">
        {start}
        <Sign size={16} className="mt-0.75 shrink-0 text-ink-3" />
        <div className="min-w-0 flex-1">
          <h3>
            <button
              type="button"
              data-card={id}
              data-waits={waits}
              aria-expanded={isOpen}
              aria-controls={isOpen ? detailId : undefined}
              className="card-headline"
              onClick={() => turn(id)}
            >
              <bdi className={cx('min-w-0 break-words', badge?.tone === 'muted' && 'line-through')}>
                {showHidden(headline)}
              </bdi>
              <ChevronDown
                size={16}
                className={cx('mt-0.5 shrink-0 text-ink-3 transition-transform', isOpen && 'rotate-180')}
              />
            </button>
          </h3>
          {note !== '' && (
            <p dir="auto" className="mt-0.5 text-xs text-ink-2 wrap-anywhere">
              {showHidden(note)}
            </p>
          )}
          <div className="card-meta">
            {badge && <span className={cx('badge', badge.tone === 'good' && 'text-good')}>{badge.text}</span>}
            {meta}
          </div>
        </div>
        {end}
      </div>
      {isOpen && (
        <div id={detailId} className="mt-2.5 grid grid-cols-[minmax(0,1fr)] gap-3">
          {detail}
        </div>
      )}
      {children}
    </li>
  )
}

type CardButtonProps = {
  label: string
  headline: string
  look?: 'primary' | 'secondary' | 'quiet'
  /** The letter that presses the button while its card has the focus. */
  keyName?: string
  disabled?: boolean
  onClick: () => void
}

/** An action button of a card. */
export function ActivityCardButton(props: CardButtonProps): ReactNode {
  const { label, headline, look = 'secondary', keyName, disabled = false, onClick } = props
  return (
    <button
      type="button"
      data-key={keyName}
      aria-keyshortcuts={keyName?.toUpperCase()}
      disabled={disabled}
      className={cx('btn', { primary: 'btn-primary', secondary: 'btn-secondary', quiet: 'btn-quiet' }[look])}
      onClick={onClick}
    >
      {label}
      {/* The headline makes the accessible name unique. */}
      <span className="sr-only">{headline}</span>
      {keyName !== undefined && <Kbd keys={keyName} />}
    </button>
  )
}

type CardMenuProps = {
  headline: string
  reviewId: string | null
  sessionId: string | null
  messageId: number | null
  at: number
  onUndo: (what: UndoSelection) => void
}

/** The source of a card, and Undo for everything from that source. */
function CardMenu({ headline, reviewId, sessionId, messageId, at, onUndo }: CardMenuProps): ReactNode {
  const entries = useMemo(() => {
    const undo = (id: string, label: string, what: UndoSelection): MenuEntry => ({
      id,
      label,
      icon: <Undo2 size={16} className="rtl:-scale-x-100" />,
      danger: true,
      onSelect: () => onUndo(what),
    })
    return [
      ...(sessionId === null
        ? []
        : [
            {
              id: 'chat',
              label: 'Open the chat',
              icon: <MessageSquare size={16} />,
              onSelect: () => goTo({ chatId: sessionId, messageId }),
            },
          ]),
      ...(reviewId === null ? [] : [undo('undo-review', undoTitles.review, { by: 'review', id: reviewId })]),
      ...(sessionId === null ? [] : [undo('undo-chat', undoTitles.chat, { by: 'chat', id: sessionId })]),
      undo('undo-since', 'Undo everything since then', { by: 'since', at }),
    ]
  }, [reviewId, sessionId, messageId, at, onUndo])
  return (
    <Menu
      label={`More for “${headline}”`}
      align="end"
      entries={entries}
      renderButton={props => (
        <IconButton small label={`More for “${headline}”`} {...props}>
          <Ellipsis size={16} />
        </IconButton>
      )}
    />
  )
}

/** Undo for the card itself, while there is something to undo, and its menu. */
export function ActivityCardEnd({
  id,
  isUndoable,
  ...menu
}: CardMenuProps & { id: string; isUndoable: boolean }): ReactNode {
  const { undo } = useActivityActions()
  const { headline } = menu
  return (
    <>
      {isUndoable && (
        <ActivityCardButton
          look="quiet"
          keyName="u"
          label="Undo"
          headline={headline}
          onClick={() => void undo([id])}
        />
      )}
      <CardMenu {...menu} />
    </>
  )
}
