import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { Connection, ConnectPlan } from '../../../shared/contract/connections/connect.ts'
import type { HostClient } from '../../../shared/contract/index.ts'
import { showHidden } from '../../../shared/visible-text/show-hidden.ts'
import { attemptCall } from '../../rpc/attempt.ts'
import { useLink } from '../../rpc/host-context.tsx'
import { useAnswer } from '../../rpc/use-answer.ts'
import { Problem } from '../../ui/Banner.tsx'
import { Dialog, StepHeading } from '../../ui/Dialog.tsx'
import { Spinner } from '../../ui/Progress.tsx'
import { showToast } from '../../ui/Toasts.tsx'
import { Commands, PlanView, type ConnectWhat } from './PlanView.tsx'

type Done = Awaited<ReturnType<HostClient['connect.apply']>>

type Props = {
  connection: Connection
  what: ConnectWhat
  /** Whether the user still has to choose what the program may do. */
  mayChoose: boolean
  onChanged: () => void
  /** Called when the user continues to the switches of the program. */
  onChoose: () => void
  onClose: () => void
}

/** Shows what connecting or removing would write and run, does it, and reports the result. */
export function ConnectDialog(props: Props): ReactNode {
  const { connection, what, mayChoose, onChanged, onChoose, onClose } = props
  const { program, title } = connection
  const { client } = useLink()
  const [looks, setLooks] = useState(0)
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [done, setDone] = useState<Done>()
  const isClosed = useRef(false)
  useEffect(() => {
    isClosed.current = false
    return () => {
      isClosed.current = true
    }
  }, [])
  const planned = useAnswer(
    'connect.plan',
    { program, what },
    { isOnce: true, by: `${program} ${what} ${looks}` },
  )

  async function apply({ seen }: ConnectPlan, run: boolean): Promise<void> {
    setBusy(true)
    setProblem('')
    const answer = await attemptCall(client['connect.apply']({ program, what, seen, run }))
    onChanged()
    // If the dialog was closed in the meantime, report the result in a toast.
    if (isClosed.current)
      return showToast(
        answer.ok ? showHidden(answer.value.said.join(' ')) : answer.fault.message,
        answer.ok ? {} : { level: 'error' },
      )
    setBusy(false)
    if (answer.ok) return setDone(answer.value)
    setProblem(answer.fault.message)
    // The files changed in the meantime, so show the new plan.
    if (answer.fault.code === 'conflict') setLooks(looks + 1)
  }

  return (
    <Dialog
      title={what === 'connect' ? `Connect ${title}` : `Remove Talaria from ${title}`}
      closeLabel="Close"
      width="medium"
      onClose={onClose}
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {done ? (
          <Outcome
            title={title}
            what={what}
            done={done}
            onChoose={
              what === 'connect' && mayChoose && done.connection.agentId !== null
                ? () => {
                    onChoose()
                    onClose()
                  }
                : undefined
            }
            onClose={onClose}
          />
        ) : (
          <>
            <Problem text={showHidden(problem)} />
            {planned === undefined && (
              <output className="flex items-center gap-2 text-sm text-ink-2">
                <Spinner />
                Checking what would change…
              </output>
            )}
            {planned?.ok === false && <Problem text={showHidden(planned.fault.message)} />}
            {planned?.ok && (
              <>
                <PlanView plan={planned.value} what={what} title={title} />
                <Decide
                  plan={planned.value}
                  what={what}
                  title={title}
                  isBusy={isBusy}
                  onApply={run => void apply(planned.value, run)}
                  onClose={onClose}
                />
              </>
            )}
          </>
        )}
      </div>
    </Dialog>
  )
}

type DecideProps = {
  plan: ConnectPlan
  what: ConnectWhat
  title: string
  isBusy: boolean
  onApply: (run: boolean) => void
  onClose: () => void
}

const LABELS = {
  connect: {
    alone: 'Connect',
    byHand: 'Connect without running commands',
    all: 'Connect and run the commands',
  },
  remove: {
    alone: 'Remove',
    byHand: 'Remove without running commands',
    all: 'Remove and run the commands',
  },
}

function Decide({ plan: { commands, canRun }, what, title, isBusy, onApply, onClose }: DecideProps) {
  const labels = LABELS[what]
  const hasCommands = commands.length > 0
  return (
    <div className="grid gap-2">
      {hasCommands && !canRun && (
        <p className="text-xs text-ink-2">
          {`${title} was not found on this computer, so Talaria cannot run its commands. You can copy them afterwards.`}
        </p>
      )}
      <div className="flex flex-wrap items-center justify-end gap-2">
        {isBusy && (
          <output className="me-auto flex items-center gap-2 text-sm text-ink-2">
            <Spinner />
            {what === 'connect' ? 'Connecting…' : 'Removing…'}
          </output>
        )}
        <button type="button" className="btn btn-secondary" onClick={onClose}>
          Cancel
        </button>
        {hasCommands && (
          <button
            type="button"
            className={canRun ? 'btn btn-secondary' : 'btn btn-primary'}
            disabled={isBusy}
            onClick={() => onApply(false)}
          >
            {labels.byHand}
          </button>
        )}
        {(canRun || !hasCommands) && (
          <button
            type="button"
            className="btn btn-primary"
            disabled={isBusy}
            onClick={() => onApply(hasCommands)}
          >
            {hasCommands ? labels.all : labels.alone}
          </button>
        )}
      </div>
    </div>
  )
}

type OutcomeProps = {
  title: string
  what: ConnectWhat
  done: Done
  /** Undefined if there is nothing to choose. */
  onChoose: (() => void) | undefined
  onClose: () => void
}

/** The result, and the commands that the user still has to run. */
function Outcome({ title, what, done: { said, commands }, onChoose, onClose }: OutcomeProps) {
  const isLeft = commands.length > 0
  const finished = what === 'connect' ? `${title} is connected` : `Talaria was removed from ${title}`
  return (
    <>
      <StepHeading>{isLeft ? 'Run these commands to finish' : finished}</StepHeading>
      {said.length > 0 && (
        <ul aria-label="What happened" className="grid list-disc gap-1 ps-5 text-sm text-ink-2">
          {said.map((sentence, at) => (
            // The list never changes.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={at} className="wrap-anywhere">
              {showHidden(sentence)}
            </li>
          ))}
        </ul>
      )}
      {isLeft && <Commands title="In a terminal" commands={commands} canCopy />}
      {onChoose && (
        <p className="text-sm text-ink-2">
          {`${title} cannot read anything yet. Choose what it may read, and whether Talaria learns from it.`}
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <button
          type="button"
          className={onChoose ? 'btn btn-secondary' : 'btn btn-primary'}
          onClick={onClose}
        >
          {onChoose ? 'Later' : 'Done'}
        </button>
        {onChoose && (
          <button type="button" className="btn btn-primary" onClick={onChoose}>
            Choose what it may do
          </button>
        )}
      </div>
    </>
  )
}
