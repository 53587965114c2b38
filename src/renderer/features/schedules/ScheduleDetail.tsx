import { useState, type ReactNode } from 'react'
import type { Schedule, ScheduleRun } from '../../../shared/contract/runs/schedules.ts'
import { showHidden } from '../../../shared/visible-text/show-hidden.ts'
import { useHost } from '../../rpc/host-context.tsx'
import { usePages } from '../../rpc/use-answer.ts'
import { Banner } from '../../ui/Banner.tsx'
import { Confirm } from '../../ui/Dialog.tsx'
import { countOf, formatCount, formatDuration } from '../../ui/text/format-values.ts'
import { Icon, IconButton } from '../../ui/IconButton.tsx'
import { cx } from '../../ui/style.ts'
import { showToast } from '../../ui/Toasts.tsx'
import { isRunOpen, runState, useRunWaits } from '../../schedule-run-state.ts'
import { useHostCall } from '../../use-host-call.ts'
import { formatIn } from './use-schedules.ts'

type Props = { schedule: Schedule; onOpenChat: (id: string) => void }

const DELIVERY = {
  chat: 'only in its chat',
  notification: 'by a notification without content',
  content: 'by a notification with the start of its answer',
  messenger: 'on your messenger, and by a notification',
}

/** What a schedule does, what it is allowed, and its history. */
export function ScheduleDetail({ schedule, onOpenChat }: Props): ReactNode {
  const { task, zone, next, paused, folder, modelId, mode, skills, deliver, grants, limits, month } = schedule
  const model = useHost(host => host.models.find(each => each.id === modelId))
  const act = useHostCall()
  const facts: [string, ReactNode][] = [
    [
      'Task',
      <span key="task" className="whitespace-pre-wrap">
        {showHidden(task)}
      </span>,
    ],
    [
      'Next times',
      next.length === 0
        ? 'None'
        : next.map(each => (
            <span key={each} className="block">
              {formatIn(zone, each)}
            </span>
          )),
    ],
    ['Time zone', zone],
    ['Folder', showHidden(folder)],
    ['Model', showHidden(model?.name ?? modelId)],
    ...(skills.length > 0 ? ([['Skills', showHidden(skills.join(', '))]] as [string, ReactNode][]) : []),
    ['May do', mode === 'none' ? 'only what never needs asking' : 'also read-only commands'],
    ['Tells you', DELIVERY[deliver]],
    ...(limits.runTokens === null &&
    limits.runUsd === null &&
    limits.monthTokens === null &&
    limits.monthUsd === null
      ? []
      : ([['Limits', limitsText(schedule)]] as [string, ReactNode][])),
    ['This month', usedText(month.tokens, month.costUsd)],
  ]
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {paused !== null && <Banner level="warning">{showHidden(paused)}</Banner>}
      <dl className="grid gap-x-4 gap-y-1.5 text-sm sm:grid-cols-[7rem_minmax(0,1fr)]">
        {facts.map(([term, value]) => (
          <div key={term} className="contents">
            <dt className="text-xs leading-5 text-ink-3">{term}</dt>
            <dd className="min-w-0 wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      {grants.length > 0 && (
        <section aria-label="Allowed without asking">
          <h2 className="mb-1 text-sm font-semibold">Allowed without asking</h2>
          <ul className="grid gap-1">
            {grants.map(({ id, text }) => (
              <li key={id} className="flex items-start gap-2 text-xs">
                <span dir="ltr" className="min-w-0 flex-1 pt-1 font-mono wrap-anywhere">
                  {showHidden(text)}
                </span>
                <IconButton
                  small
                  label={`Revoke: ${text}`}
                  onClick={() =>
                    void act(client => client['schedule.removeGrant']({ id: schedule.id, grantId: id }))
                  }
                >
                  <Icon name="close" size={14} />
                </IconButton>
              </li>
            ))}
          </ul>
          <p className="mt-1 text-xs text-ink-3">
            Changing the task, the folder or the skills revokes all of this.
          </p>
        </section>
      )}
      <History schedule={schedule} onOpenChat={onOpenChat} />
    </div>
  )
}

function limitsText({ limits }: Schedule): string {
  const { runTokens, runUsd, monthTokens, monthUsd } = limits
  return [
    ...(runTokens === null ? [] : [`${formatCount(runTokens)} tokens per run`]),
    ...(runUsd === null ? [] : [`$${runUsd} per run`]),
    ...(monthTokens === null ? [] : [`${formatCount(monthTokens)} tokens per month`]),
    ...(monthUsd === null ? [] : [`$${monthUsd} per month`]),
  ].join(', ')
}

const usedText = (tokens: number, costUsd: number | null): string =>
  [countOf(tokens, 'token', 'tokens'), ...(costUsd === null ? [] : [`$${costUsd.toFixed(4)}`])].join(', ')

function History({ schedule, onOpenChat }: Props) {
  const { items, more, problem, loadMore } = usePages<'schedule.history', ScheduleRun>(
    'schedule.history',
    known => {
      const before = known.at(-1)?.id
      return { id: schedule.id, limit: 50, ...(before !== undefined && { before }) }
    },
    ({ runs, more }) => ({ items: runs, more }),
  )
  return (
    <section aria-label="History">
      <h2 className="mb-1 text-sm font-semibold">History</h2>
      {problem !== null && <p className="text-sm text-danger">{problem}</p>}
      {items?.length === 0 && <p className="text-sm text-ink-2">It has not run yet.</p>}
      <ol className="grid grid-cols-[minmax(0,1fr)] gap-1.5">
        {items?.map(run => (
          <RunRow key={run.id} run={run} zone={schedule.zone} onOpenChat={onOpenChat} />
        ))}
      </ol>
      {more && (
        <button type="button" className="btn btn-quiet mt-1" onClick={() => void loadMore()}>
          Show older runs
        </button>
      )}
    </section>
  )
}

const KINDS = { planned: '', late: 'catch-up run', now: 'started by you', trial: 'trial run' }

function RunRow({
  run,
  zone,
  onOpenChat,
}: {
  run: ScheduleRun
  zone: string
  onOpenChat: (id: string) => void
}) {
  const act = useHostCall()
  const { label, look } = runState(run, useRunWaits(run))
  const { id, planned, startedAt, endedAt, tokens, costUsd, text, denied, changes, sessionId, more, kind } =
    run
  const at = formatIn(zone, planned)
  const facts = [
    ...(KINDS[kind] === '' ? [] : [KINDS[kind]]),
    ...(startedAt !== null && startedAt - planned > 60_000
      ? [`${formatDuration(startedAt - planned)} late`]
      : []),
    ...(startedAt !== null && endedAt !== null ? [`took ${formatDuration(endedAt - startedAt)}`] : []),
    ...(tokens > 0 ? [usedText(tokens, costUsd)] : []),
  ]
  const undoable = changes.filter(change => !change.undone)
  const [held, setHeld] = useState<readonly string[]>([])
  const undo = async (obeyed = false) => {
    const answer = await act(client => client['schedule.undo']({ runId: id, obeyed }))
    if (!answer) return
    setHeld(answer.held)
    if (answer.kept.length + answer.held.length === 0) showToast('Undone.')
    else if (answer.kept.length === 0) showToast('Undone, except files that programs obey.')
    else showToast(`Some files were not restored: ${answer.kept.join(' ')}`, { level: 'error' })
  }
  return (
    <li aria-label={`${at}: ${label}`} className="grid gap-1 rounded-lg bg-sunken px-3 py-2 text-xs">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
        <span className="text-sm">{at}</span>
        <span className={cx('badge', look)}>{label}</span>
        <span className="text-ink-3">{facts.join(' · ')}</span>
      </p>
      {text !== '' && <p className="text-ink-2">{showHidden(text)}</p>}
      {more && <p className="text-ink-3">Earlier times were missed as well.</p>}
      {denied.length > 0 && (
        <p className="text-warn">{`Denied because nobody could be asked: ${showHidden(denied.join(', '))}`}</p>
      )}
      {changes.length > 0 && (
        <ul className="grid gap-0.5">
          {changes.map(change => (
            <li
              key={change.path}
              dir="ltr"
              className={cx('font-mono wrap-anywhere', change.undone && 'line-through')}
            >
              {`${change.kind === 'created' ? '+' : '~'} ${showHidden(change.path)}`}
            </li>
          ))}
        </ul>
      )}
      <p className="-ms-2.5 flex flex-wrap gap-1 empty:hidden">
        {sessionId !== null && (
          <button
            type="button"
            aria-label={`Open the chat: ${at}`}
            className="btn btn-quiet min-h-6 text-xs"
            onClick={() => onOpenChat(sessionId)}
          >
            Open the chat
          </button>
        )}
        {undoable.length > 0 && !isRunOpen(run) && (
          <button
            type="button"
            aria-label={`Undo what it changed on ${at}`}
            className="btn btn-quiet min-h-6 text-xs"
            onClick={() => void undo()}
          >
            Undo what it changed
          </button>
        )}
        {held.length > 0 && (
          <Confirm
            label="Also undo files that programs obey"
            question={`Also undo changes to files that programs obey without being asked? ${showHidden(held.join(' · '))}`}
            onYes={() => void undo(true)}
          />
        )}
      </p>
    </li>
  )
}
