import type { ReactNode } from 'react'
import type { Transfer } from '../../../shared/contract/transfers.ts'
import { attempt } from '../../rpc/attempt.ts'
import { useLink } from '../../rpc/host-context.tsx'
import { Progress } from '../../ui/Progress.tsx'
import { showToast } from '../../ui/toasts.ts'
import { setupText } from './strings.ts'

const text = setupText.coming

type Props = { transfer: Transfer; named?: boolean }

/** How far a file is, and what can be done about it; `named` says which file it is, where nothing else does. */
export function ComingRow({ transfer, named = false }: Props): ReactNode {
  const { client } = useLink()
  const { id, kind, name, state, doneBytes, totalBytes, secondsLeft, error, fix } = transfer
  const isRunning = state === 'running'
  const ask = async (asked: Promise<unknown>) => {
    const answer = await attempt(asked)
    if (!answer.ok) showToast(answer.fault.message, { level: 'error' })
  }
  const action = (label: string, run: () => Promise<unknown>) => (
    <button
      key={label}
      type="button"
      className="btn btn-quiet"
      aria-label={text.named(label, name)}
      onClick={() => void ask(run())}
    >
      {label}
    </button>
  )
  // The bytes of an upload are in the page, and nobody can ask for them again.
  const canResume = kind !== 'upload'
  return (
    <div className="grid gap-1.5">
      {named && (
        <p dir="auto" className="text-sm font-medium break-words">
          {name}
        </p>
      )}
      {state !== 'done' && (
        <Progress
          label={text.progress(name)}
          share={state === 'checking' || !totalBytes ? null : doneBytes / totalBytes}
        />
      )}
      {state === 'failed' && (
        <p role="alert" className="text-xs break-words text-danger">
          {error || text.states.failed} <span className="text-ink-2">{fix}</span>
        </p>
      )}
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <p className="text-xs text-ink-2">
          {[
            ...(isRunning || state === 'paused' ? [text.share(doneBytes, totalBytes)] : []),
            ...(isRunning && secondsLeft !== null ? [text.left(secondsLeft)] : []),
            ...(state === 'failed' ? [] : [text.states[state]]),
          ].join(' · ')}
        </p>
        <div className="-mx-3 flex flex-wrap">
          {isRunning && canResume && action(text.pause, () => client['transfer.pause']({ id }))}
          {state === 'paused' && action(text.resume, () => client['transfer.resume']({ id }))}
          {state === 'failed' && canResume && action(text.again, () => client['transfer.resume']({ id }))}
          {(state === 'failed' || state === 'paused') &&
            action(text.giveUp, () => client['transfer.cancel']({ id }))}
        </div>
      </div>
    </div>
  )
}
