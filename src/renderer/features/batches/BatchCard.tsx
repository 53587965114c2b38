import { Pause, Play } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'
import {
  isBudgetUsed,
  type AttemptState,
  type BatchState,
  type EndedAttempt,
} from '../../../shared/contract/runs/batch.ts'
import { showHidden, showHiddenInLine } from '../../../shared/visible-text/show-hidden.ts'
import { countOf, formatCount, formatShare, formatWhen } from '../../ui/text/format-values.ts'
import { Progress } from '../../ui/Progress.tsx'
import { cx } from '../../ui/style.ts'
import { useBatchActions } from './use-batches.ts'

const stateNames = { running: 'Running', waiting: 'Waiting', paused: 'Paused', ended: 'Ended' }
const stateDots = { running: 'bg-good', waiting: 'bg-warn', paused: 'bg-warn', ended: 'bg-ink-3' }
const outcomes: Record<AttemptState, string> = {
  done: 'with an answer',
  no_answer: 'without an answer',
  steps_used: 'out of steps',
  calls_unreadable: 'with unreadable calls',
  failed: 'failed',
}
const outcomesOfOne: Record<AttemptState, string> = {
  ...outcomes,
  done: 'Answered',
  no_answer: 'No answer',
  steps_used: 'Out of steps',
  calls_unreadable: 'Unreadable calls',
  failed: 'Failed',
}

/** A batch: its folder, progress, usage, why it waits, and how its last attempts ended. */
export function BatchCard({ batch }: { batch: BatchState }): ReactNode {
  const { runName, out, state, text, until, attempts, ended } = batch
  const title = useId()
  const name = showHiddenInLine(runName)
  return (
    <li aria-labelledby={title} className="card grid gap-3">
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
        <div className="min-w-0 flex-1 basis-56">
          <h2 id={title} dir="auto" className="text-sm font-semibold wrap-anywhere">
            {name}
          </h2>
          <p dir="ltr" className="text-start font-mono text-xs wrap-anywhere text-ink-3">
            {showHiddenInLine(out)}
          </p>
        </div>
        <p className="flex min-h-8 items-center gap-1.5 text-xs text-ink-2">
          <span aria-hidden="true" className={cx('size-2 shrink-0 rounded-full', stateDots[state])} />
          {stateNames[state]}
        </p>
        {state !== 'ended' && !(state === 'paused' && isBudgetUsed(batch)) && (
          <BatchButton id={batch.id} isPaused={state === 'paused'} name={name} />
        )}
      </div>
      {text !== '' && (
        <output className="block rounded-lg bg-warn-soft px-3 py-2 text-sm wrap-anywhere">
          {showHidden(text)}
          {state === 'waiting' && until !== null && ` It tries again at ${timeOf(until)}.`}
        </output>
      )}
      <div className="grid gap-1.5">
        <p className="text-sm tabular-nums">
          {`${formatCount(ended)} of ${countOf(attempts, 'attempt', 'attempts')}`}
          <span className="text-ink-3">{` · ${formatShare(shareOf(batch))}`}</span>
        </p>
        <Progress label={`Progress of ${name}`} share={shareOf(batch)} />
        <Outcomes states={batch.states} />
      </div>
      <Figures batch={batch} />
      <LastAttempts recent={batch.recent} />
    </li>
  )
}

const shareOf = ({ ended, attempts }: BatchState) => (attempts === 0 ? 1 : ended / attempts)

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' })
const timeOf = (at: number) => clock.format(at)

/** Pauses a running batch or resumes a paused one. */
function BatchButton({ id, isPaused, name }: { id: string; isPaused: boolean; name: string }) {
  const { pause, resume } = useBatchActions()
  const [isBusy, setBusy] = useState(false)
  const press = async () => {
    setBusy(true)
    await (isPaused ? resume : pause)(id)
    setBusy(false)
  }
  const label = isPaused ? 'Resume' : isBusy ? 'Pausing…' : 'Pause'
  return (
    <button
      type="button"
      aria-label={`${label}: ${name}`}
      aria-disabled={isBusy}
      className="btn btn-secondary"
      onClick={() => !isBusy && void press()}
    >
      {isPaused ? <Play size={16} aria-hidden="true" /> : <Pause size={16} aria-hidden="true" />}
      {label}
    </button>
  )
}

function Outcomes({ states }: Pick<BatchState, 'states'>) {
  const shown = Object.entries(states).filter(([, count]) => count > 0) as [AttemptState, number][]
  if (shown.length === 0) return null
  return (
    <p className="text-xs text-ink-2 tabular-nums">
      {shown.map(([state, count]) => `${formatCount(count)} ${outcomes[state]}`).join(' · ')}
    </p>
  )
}

function Figures({ batch }: { batch: BatchState }) {
  const { state, active, workers, tokens, budget, rewards, unknown, badLines, startedAt } = batch
  const figures: (readonly [string, string])[] = [
    [
      'Workers',
      state === 'running' ? `${formatCount(active)} of ${formatCount(workers)} active` : formatCount(workers),
    ],
    ['Tokens', budget === null ? formatCount(tokens) : `${formatCount(tokens)} of ${formatCount(budget)}`],
    ...(rewards.count > 0
      ? [
          [
            'Rewards',
            `${meanOf(rewards)} on average, of ${countOf(rewards.count, 'check', 'checks')}`,
          ] as const,
        ]
      : []),
    ['Started', formatWhen(startedAt)],
    ...(unknown > 0 ? [['Interrupted and repeated', formatCount(unknown)] as const] : []),
    ...(badLines > 0 ? [['Lines left out', formatCount(badLines)] as const] : []),
  ]
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-2 text-xs rail:grid-cols-4">
      {figures.map(([name, value]) => (
        <div key={name} className="min-w-0">
          <dt className="text-ink-3">{name}</dt>
          <dd className="wrap-anywhere text-ink tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const hundredths = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 })
const meanOf = ({ count, sum }: BatchState['rewards']) => hundredths.format(sum / count)

function LastAttempts({ recent }: { recent: readonly EndedAttempt[] }) {
  const title = useId()
  if (recent.length === 0) return null
  return (
    <section aria-labelledby={title}>
      <h3 id={title} className="group-title">
        Last attempts
      </h3>
      <ul aria-labelledby={title} className="mt-1 grid grid-cols-[minmax(0,1fr)]">
        {recent.map(({ id, attempt, state, note, reward, at }) => (
          <li
            key={`${id} ${attempt} ${at}`}
            className="flex flex-wrap gap-x-3 border-t border-line py-1 text-xs first:border-transparent"
          >
            <span
              dir="auto"
              className="min-w-0 flex-1 basis-32 truncate text-ink"
              title={showHiddenInLine(id)}
            >
              {showHiddenInLine(id)}
              {attempt > 1 && <span className="text-ink-3">{` · attempt ${attempt}`}</span>}
            </span>
            <span className={state === 'done' ? 'text-ink-2' : 'text-danger'}>
              {outcomesOfOne[state]}
              {reward !== null && ` · reward ${hundredths.format(reward)}`}
            </span>
            <time dateTime={new Date(at).toISOString()} className="text-ink-3 tabular-nums">
              {timeOf(at)}
            </time>
            {note !== '' && (
              <span dir="auto" className="line-clamp-2 basis-full wrap-anywhere text-ink-3">
                {showHidden(note)}
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
