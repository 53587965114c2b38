import { Copy, FlaskConical, Pause, Pencil, Play, Square, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Schedule } from '../../../shared/contract/runs/schedules.ts'
import { showHidden } from '../../../shared/visible-text/show-hidden.ts'
import { MoreMenu } from '../../ui/Menu.tsx'
import { OpenableCard } from '../../ui/OpenableCard.tsx'
import { Spinner } from '../../ui/Progress.tsx'
import { cx } from '../../ui/style.ts'
import { showToast } from '../../ui/Toasts.tsx'
import { isRunOpen, runState, useRunWaits } from '../../schedule-run-state.ts'
import { ScheduleDetail } from './ScheduleDetail.tsx'
import { useHostCall } from '../../use-host-call.ts'
import { formatIn } from './use-schedules.ts'

/** How long the toast offers to undo a deletion, in ms. */
const UNDO_MS = 10_000

type Props = {
  schedule: Schedule
  isOpen: boolean
  onOpen: (id: string | null) => void
  onEdit: () => void
  onOpenChat: (id: string) => void
}

/** One schedule: when it runs next and how it ran last. The open card shows what it does and its history. */
export function ScheduleCard({ schedule, isOpen, onOpen, onEdit, onOpenChat }: Props): ReactNode {
  const { id, name, inWords, zone, next, last, paused, seen } = schedule
  const act = useHostCall()
  const shown = showHidden(name)
  const running = last !== null && isRunOpen(last)
  const isWaiting = useRunWaits(last)
  const remove = async () => {
    if (!(await act(client => client['schedule.remove']({ id })))) return
    const putBack = () => void act(client => client['schedule.restore']({ id }))
    showToast(`${shown} was deleted. Its chats stay.`, {
      action: { label: 'Undo', run: putBack },
      ms: UNDO_MS,
    })
  }
  const when =
    paused !== null ? 'Paused' : next[0] === undefined ? 'Finished' : `Next: ${formatIn(zone, next[0])}`
  return (
    <OpenableCard
      label={shown}
      title={shown}
      badges={
        last && (
          <span className={cx('badge gap-1', runState(last, isWaiting).look)}>
            {running && !isWaiting && <Spinner size={12} />}
            {runState(last, isWaiting).label}
          </span>
        )
      }
      facts={
        <>
          <span className="block text-ink-2">{inWords}</span>
          <span className="block">{when}</span>
        </>
      }
      isOpen={isOpen}
      onToggle={() => onOpen(isOpen ? null : id)}
      actions={
        <>
          {running ? (
            <button
              type="button"
              aria-label={`Stop ${shown}`}
              className="btn btn-secondary"
              onClick={() => void act(client => client['schedule.stop']({ id }))}
            >
              <Square size={14} aria-hidden="true" />
              Stop
            </button>
          ) : (
            <button
              type="button"
              aria-label={`Run now: ${shown}`}
              className="btn btn-secondary"
              onClick={() => void act(client => client['schedule.run']({ id, seen }))}
            >
              <Play size={14} aria-hidden="true" />
              Run now
            </button>
          )}
          <MoreMenu
            of={shown}
            entries={[
              { id: 'edit', label: 'Edit…', icon: <Pencil size={16} />, onSelect: onEdit },
              {
                id: 'trial',
                label: 'Trial run',
                hint: 'It really runs, and asks you. What you allow stays allowed in this schedule.',
                icon: <FlaskConical size={16} />,
                disabled: running,
                onSelect: () => void act(client => client['schedule.run']({ id, seen, trial: true })),
              },
              paused === null
                ? {
                    id: 'pause',
                    label: 'Pause',
                    icon: <Pause size={16} />,
                    onSelect: () => void act(client => client['schedule.pause']({ id })),
                  }
                : {
                    id: 'resume',
                    label: 'Resume',
                    hint: 'Missed runs are not caught up.',
                    icon: <Play size={16} />,
                    onSelect: () => void act(client => client['schedule.resume']({ id, seen })),
                  },
              {
                id: 'copy',
                label: 'Copy',
                hint: 'The copy is paused.',
                icon: <Copy size={16} />,
                onSelect: () => void act(client => client['schedule.copy']({ id })),
              },
              {
                id: 'remove',
                label: 'Delete',
                hint: 'The chats of its runs stay.',
                icon: <Trash2 size={16} />,
                danger: true,
                onSelect: () => void remove(),
              },
            ]}
          />
        </>
      }
    >
      <ScheduleDetail schedule={schedule} onOpenChat={onOpenChat} />
    </OpenableCard>
  )
}
