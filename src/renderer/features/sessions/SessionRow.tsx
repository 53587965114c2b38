import {
  Archive,
  ArchiveRestore,
  Check,
  ListChecks,
  Download,
  Ellipsis,
  FolderInput,
  PenLine,
  Pin,
  PinOff,
  SlidersHorizontal,
  Trash2,
} from 'lucide-react'
import { memo, useRef, useState, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react'
import type { ScheduleRun } from '../../../shared/contract/runs/schedules.ts'
import type { Session } from '../../../shared/contract/chats/session.ts'
import { ORIGIN_RULES } from '../../../shared/origin-rules.ts'
import { showTitle } from '../../../shared/visible-text/show-unseen.ts'
import { menuLabel } from '../../action-table.ts'
import { goTo, SETTINGS_TAB } from '../../route.ts'
import { isRunOpen, runState } from '../../schedule-run-state.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { isKey } from '../../ui/keyboard/keys.ts'
import { Menu } from '../../ui/Menu.tsx'
import { Spinner } from '../../ui/Progress.tsx'
import { cx } from '../../ui/style.ts'
import { InPlaceField } from '../../ui/fields/TextField.tsx'
import { MoveDialog } from './MoveDialog.tsx'
import { draggableChat } from './ProjectGroup.tsx'
import type { RowPlace } from './RowList.tsx'
import { leaveRow } from './chat-row-focus.ts'
import { useSelection } from './Selectable.tsx'
import { useSessionActions } from './session-actions.ts'

type Props = RowPlace & {
  session: Session
  active: boolean
  inTabOrder: boolean
  /** Whether it belongs to a sub-agent and is listed below the chat that it works for. */
  isBelow?: boolean
  /** Shown in place of the title and the badge below the name of its schedule. */
  shortTitle?: string | undefined
  /** The schedule run that the chat belongs to. */
  run?: ScheduleRun | undefined
  onOpen: (id: string) => void
  onNew: () => void
  onExport: (id: string) => void
}

/** One chat in the list. F2 renames it, Delete deletes it. */
export const SessionRow = memo(function SessionRow({
  session,
  active,
  inTabOrder,
  isBelow = false,
  shortTitle,
  run,
  'aria-setsize': count,
  'aria-posinset': position,
  onOpen,
  onNew,
  onExport,
}: Props): ReactNode {
  const [renaming, setRenaming] = useState(false)
  const [moving, setMoving] = useState(false)
  const row = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLButtonElement>(null)
  const { rename, pin, archive, remove } = useSessionActions(session, { active, onOpen, onNew })
  const removeRow = () => {
    leaveRow(row.current)
    void remove()
  }
  const title = showTitle(session.title)
  const tabIndex = inTabOrder ? 0 : -1
  const badge = session.temporary ? 'Temporary' : ORIGIN_RULES[session.origin].badge
  const { ids, choose } = useSelection()
  const isSelected = ids.includes(session.id)
  const onClick = (event: MouseEvent) => {
    // While chats are being selected, a click selects.
    if (event.shiftKey) choose(session.id, 'range')
    else if (event.ctrlKey || event.metaKey || ids.length > 0) choose(session.id, 'toggle')
    else onOpen(session.id)
  }

  if (renaming) {
    return (
      <li aria-setsize={count} aria-posinset={position}>
        <InPlaceField
          text={session.title || title}
          label="New title"
          className="field my-0.5"
          onDone={text => {
            setRenaming(false)
            if (text !== null) void rename(text)
            requestAnimationFrame(() => row.current?.focus())
          }}
        />
      </li>
    )
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const act = isKey(event, 'f2') ? () => setRenaming(true) : isKey(event, 'delete') ? removeRow : undefined
    if (!act) return
    event.preventDefault()
    act()
  }

  return (
    <li
      className={cx('group relative', isBelow && 'ms-3 border-s border-line ps-1')}
      aria-setsize={count}
      aria-posinset={position}
    >
      {moving && <MoveDialog session={session} onClose={() => setMoving(false)} />}
      <button
        ref={row}
        {...draggableChat(session.id)}
        type="button"
        data-row={session.id}
        aria-pressed={ids.length > 0 ? isSelected : undefined}
        tabIndex={tabIndex}
        aria-current={active ? 'page' : undefined}
        className={cx('side-item session-row', active && 'bg-active text-ink', isSelected && 'row-selected')}
        onClick={onClick}
        onKeyDown={onKeyDown}
        onContextMenu={event => {
          event.preventDefault()
          menu.current?.click()
        }}
      >
        {isSelected && <Check size={14} className="shrink-0 text-accent" />}
        <span dir="auto" className="min-w-0 flex-1 truncate">
          {shortTitle === undefined ? title : showTitle(shortTitle)}
        </span>
        {run && !isRunOpen(run) && (
          <span
            title={runState(run).label}
            className={cx('max-w-1/2 shrink-0 truncate text-2xs', runState(run).look)}
          >
            {runState(run).label}
          </span>
        )}
        {shortTitle === undefined && badge !== undefined && (
          <span className="shrink-0 rounded-sm bg-active px-1 text-2xs text-ink-2">{badge}</span>
        )}
        <ChatState session={session} active={active} />
      </button>
      <span className="session-menu">
        <Menu
          label={`More for “${title}”`}
          align="end"
          entries={[
            {
              id: 'rename',
              label: menuLabel('chat.rename'),
              icon: <PenLine size={16} />,
              onSelect: () => setRenaming(true),
            },
            {
              id: 'pin',
              label: menuLabel(session.pinned ? 'chat.unpin' : 'chat.pin'),
              icon: session.pinned ? <PinOff size={16} /> : <Pin size={16} />,
              onSelect: () => void pin(!session.pinned),
            },
            {
              id: 'select',
              label: isSelected ? 'Deselect' : 'Select',
              icon: <ListChecks size={16} />,
              onSelect: () => choose(session.id, 'toggle'),
            },
            {
              id: 'move',
              label: 'Move to a project…',
              icon: <FolderInput size={16} />,
              onSelect: () => setMoving(true),
            },
            {
              id: 'settings',
              label: menuLabel('chat.settings'),
              icon: <SlidersHorizontal size={16} />,
              onSelect: () => goTo({ chatId: session.id, tab: SETTINGS_TAB }),
            },
            {
              id: 'archive',
              label: menuLabel(session.archived ? 'chat.unarchive' : 'chat.archive'),
              icon: session.archived ? <ArchiveRestore size={16} /> : <Archive size={16} />,
              onSelect: () => {
                leaveRow(row.current)
                void archive(!session.archived)
              },
            },
            {
              id: 'export',
              label: menuLabel('chat.export'),
              icon: <Download size={16} />,
              onSelect: () => onExport(session.id),
            },
            {
              id: 'remove',
              label: menuLabel('chat.remove'),
              danger: true,
              icon: <Trash2 size={16} />,
              onSelect: removeRow,
            },
          ]}
          renderButton={props => (
            <IconButton ref={menu} small label={`More for “${title}”`} tabIndex={tabIndex} {...props}>
              <Ellipsis size={16} />
            </IconButton>
          )}
        />
      </span>
    </li>
  )
})

/** The state of a chat, which may be running in the background. */
export function ChatState({ session, active }: { session: Session; active: boolean }): ReactNode {
  if (session.waiting) {
    return (
      <span className="flex items-center">
        <span aria-hidden="true" className="pulse size-2 rounded-full bg-warn" />
        <span className="sr-only">waiting for your answer</span>
      </span>
    )
  }
  if (session.activeRunId !== null) {
    return (
      <span className="text-ink-3">
        <Spinner size={12} />
        <span className="sr-only">is being answered</span>
      </span>
    )
  }
  if (session.draft !== '' && !active) return <span className="text-2xs text-ink-3">Draft</span>
  return null
}
