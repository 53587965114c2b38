import { CalendarClock, Plus } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { Schedule } from '../../../shared/contract/runs/schedules.ts'
import { goTo, useRoute } from '../../route.ts'
import { Banner } from '../../ui/Banner.tsx'
import { NothingYet } from '../../ui/NothingYet.tsx'
import { ScheduleCard } from './ScheduleCard.tsx'
import { ScheduleForm } from './ScheduleForm.tsx'
import { useSchedules } from './use-schedules.ts'

type Props = {
  start?: ReactNode
  /** Text from the message field with which the form for a new schedule opens. */
  draft?: string | null
  onOpenChat: (id: string) => void
}

/** The page of schedules: their times, their results, and a form to add one. */
export function SchedulesPage({ start, draft = null, onOpenChat }: Props): ReactNode {
  const answer = useSchedules()
  const open = useRoute(route => route.itemId)
  const setOpen = (itemId: string | null) => goTo({ page: 'schedules', itemId }, 'replace')
  const [edited, setEdited] = useState<Schedule | 'new' | null>(draft === null ? null : 'new')
  const schedules = answer?.ok ? answer.value.schedules : []
  const add = () => setEdited('new')
  return (
    <section aria-label="Schedules" className="flex min-h-0 flex-1 flex-col">
      <header className="chat-header border-b border-line">
        {start}
        <h1 className="min-w-0 flex-1 truncate px-2 text-sm font-semibold">Schedules</h1>
        <button type="button" aria-haspopup="dialog" className="btn btn-secondary" onClick={add}>
          <Plus size={16} aria-hidden="true" />
          Add a schedule
        </button>
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="column models-column pt-4 pb-8">
          <p className="mb-4 text-sm text-ink-2">
            Tasks that run automatically while Talaria is running, each time in a new chat. Nobody is asked
            during a run: whatever would ask is denied, unless you allowed it in a trial run.
          </p>
          {answer?.ok === false && <Banner level="error">{answer.fault.message}</Banner>}
          {answer?.ok && schedules.length === 0 && (
            <NothingYet
              icon={CalendarClock}
              title="No schedules yet"
              action="Add your first schedule"
              onAction={add}
            >
              Say when and what in one sentence, such as “every weekday at 8 summarise my notes”. You see the
              next times before anything is saved.
            </NothingYet>
          )}
          {schedules.length > 0 && (
            <ul aria-label="Schedules" className="grid grid-cols-[minmax(0,1fr)] gap-2">
              {schedules.map(schedule => (
                <ScheduleCard
                  key={schedule.id}
                  schedule={schedule}
                  isOpen={open === schedule.id}
                  onOpen={setOpen}
                  onEdit={() => setEdited(schedule)}
                  onOpenChat={onOpenChat}
                />
              ))}
            </ul>
          )}
        </div>
      </div>
      {edited !== null && (
        <ScheduleForm
          schedule={edited === 'new' ? undefined : edited}
          draft={draft ?? ''}
          onSaved={setOpen}
          onClose={() => setEdited(null)}
        />
      )}
    </section>
  )
}
