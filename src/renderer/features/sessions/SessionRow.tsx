import { Download, Ellipsis, FolderInput, PenLine, Pin, PinOff, Trash2 } from 'lucide-react'
import { memo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import type { Session } from '../../../shared/contract/session.ts'
import { ORIGIN_RULES } from '../../../shared/origin-rules.ts'
import { attemptCall, type Outcome } from '../../rpc/attempt.ts'
import { useHost, useLink } from '../../rpc/host-context.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { isKey } from '../../ui/keys.ts'
import { Menu } from '../../ui/Menu.tsx'
import { Spinner } from '../../ui/Progress.tsx'
import { cx } from '../../ui/style.ts'
import { InPlaceField } from '../../ui/TextField.tsx'
import { showToast } from '../../ui/Toasts.tsx'
import { MoveDialog } from './MoveDialog.tsx'
import { dragging } from './ProjectGroup.tsx'
import { leaveRow } from './chat-row-focus.ts'
import { byCount } from '../../../shared/amounts.ts'
import { countOf, plural } from '../../ui/format.ts'

type Props = {
  session: Session
  active: boolean
  inTabOrder: boolean
  onOpen: (id: string) => void
  onNew: () => void
  onExport: (id: string) => void
}

/** One chat in the list. F2 renames it, Delete deletes it. */
export const SessionRow = memo(function SessionRow({
  session,
  active,
  inTabOrder,
  onOpen,
  onNew,
  onExport,
}: Props): ReactNode {
  const [renaming, setRenaming] = useState(false)
  const [moving, setMoving] = useState(false)
  const row = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLButtonElement>(null)
  const { rename, pin, remove } = useSessionActions(session, { active, onOpen, onNew })
  const removeRow = () => {
    leaveRow(row.current)
    void remove()
  }
  const title = session.title || 'New chat'
  const tabIndex = inTabOrder ? 0 : -1
  const { badge } = ORIGIN_RULES[session.origin]

  if (renaming) {
    return (
      <li>
        <InPlaceField
          text={title}
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
    <li className="group relative">
      {moving && <MoveDialog session={session} onClose={() => setMoving(false)} />}
      <button
        ref={row}
        {...dragging(session.id)}
        type="button"
        data-row=""
        tabIndex={tabIndex}
        aria-current={active ? 'page' : undefined}
        className={cx('side-item session-row', active && 'bg-active text-ink')}
        onClick={() => onOpen(session.id)}
        onKeyDown={onKeyDown}
        onContextMenu={event => {
          event.preventDefault()
          menu.current?.click()
        }}
      >
        <span dir="auto" className="min-w-0 flex-1 truncate">
          {title}
        </span>
        {badge !== undefined && (
          <span className="shrink-0 rounded-sm bg-active px-1 text-2xs text-ink-3">{badge}</span>
        )}
        <State session={session} active={active} />
      </button>
      <span className="session-menu">
        <Menu
          label={`More for “${title}”`}
          align="end"
          entries={[
            {
              id: 'rename',
              label: 'Rename',
              icon: <PenLine size={15} />,
              onSelect: () => setRenaming(true),
            },
            {
              id: 'pin',
              label: session.pinned ? 'Unpin' : 'Pin',
              icon: session.pinned ? <PinOff size={15} /> : <Pin size={15} />,
              onSelect: () => void pin(!session.pinned),
            },
            {
              id: 'move',
              label: 'Move to a project…',
              icon: <FolderInput size={15} />,
              onSelect: () => setMoving(true),
            },
            {
              id: 'export',
              label: 'Export…',
              icon: <Download size={15} />,
              onSelect: () => onExport(session.id),
            },
            {
              id: 'remove',
              label: 'Remove',
              danger: true,
              icon: <Trash2 size={15} />,
              onSelect: removeRow,
            },
          ]}
          renderButton={props => (
            <IconButton ref={menu} small label={`More for “${title}”`} tabIndex={tabIndex} {...props}>
              <Ellipsis size={15} />
            </IconButton>
          )}
        />
      </span>
    </li>
  )
})

/** The state of a chat, which may be running in the background. */
function State({ session, active }: { session: Session; active: boolean }) {
  if (session.waiting) {
    return (
      <span className="flex items-center">
        <span aria-hidden="true" className="pulse size-2 rounded-full bg-warn" />
        <span className="sr-only">waits for your answer</span>
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

/** How long the toast offers to undo a deletion, in ms. */
const UNDO_MS = 10_000

type Where = { active: boolean; onOpen: (id: string) => void; onNew: () => void }

/** Actions on a chat in the list. A toast reports errors. */
function useSessionActions(session: Session, { active, onOpen, onNew }: Where) {
  const update = useHost(host => host.updateSession)
  const removeSession = useHost(host => host.removeSession)
  const restoreSession = useHost(host => host.restoreSession)
  const { client } = useLink()
  const tell = (outcome: Outcome<unknown>) => {
    if (!outcome.ok) showToast(outcome.fault.message, { level: 'error' })
    return outcome.ok
  }
  const restore = async () => {
    if (tell(await restoreSession(session.id)) && active) onOpen(session.id)
  }
  const undoForget = async (revisionIds: number[]) =>
    void tell(await attemptCall(client['memory.undo']({ revisionIds })))
  const forget = async (ids: string[]) => {
    const forgotten = await attemptCall(client['memory.remove']({ ids }))
    if (!tell(forgotten) || !forgotten.ok) return
    const revisionIds = forgotten.value.revisions.map(revision => revision.id)
    showToast(plural(ids.length, 'It was forgotten.', 'things were forgotten.'), {
      ms: UNDO_MS,
      action: { label: 'Undo', run: () => void undoForget(revisionIds) },
    })
  }
  return {
    rename: async (title: string) => tell(await update(session.id, { title })),
    pin: async (pinned: boolean) => tell(await update(session.id, { pinned })),
    remove: async () => {
      if (active) onNew()
      // Request this before the deletion and show it afterwards, so the deletion is not delayed.
      const asked = attemptCall(client['memory.ofChat']({ sessionId: session.id }))
      if (!tell(await removeSession(session.id))) return
      showToast(`“${session.title || 'New chat'}” was removed. It is under Recently deleted.`, {
        ms: UNDO_MS,
        action: { label: 'Undo', run: () => void restore() },
      })
      const learned = await asked
      const ids = learned.ok ? learned.value.entries.map(entry => entry.id) : []
      if (ids.length === 0) return
      showToast(
        countOf(ids.length, 'thing learned there stays in memory.', 'things learned there stay in memory.'),
        {
          ms: UNDO_MS,
          action: {
            label: byCount(ids.length, 'Forget it too', 'Forget them too'),
            run: () => void forget(ids),
          },
        },
      )
    },
  }
}
