import { useEffect, useState, type ReactNode } from 'react'
import type { Transfer } from '../../../shared/contract/models/download.ts'
import { attemptCall } from '../../rpc/attempt.ts'
import { useHost, useHostStore, useLink } from '../../rpc/host-context.tsx'
import { useTransfers } from '../../rpc/use-lists.ts'
import { WaitingToRetry, waitsToRetry } from '../../WaitingToRetry.tsx'
import { formatBytes, formatShare, formatDuration } from '../../ui/text/format-values.ts'
import { Progress } from '../../ui/Progress.tsx'
import { showToast } from '../../ui/Toasts.tsx'

const STATES = {
  waiting: 'Waiting',
  running: 'Downloading. You can continue.',
  checking: 'Checking',
  paused: 'Paused',
  done: 'Done',
  failed: 'The download failed.',
} as const

type Props = { transfer: Transfer; named?: boolean }

/** Progress and actions of a transfer. `named` adds the file name, if it is not shown nearby. */
export function ModelDownload({ transfer, named = false }: Props): ReactNode {
  const { client } = useLink()
  const { id, kind, name, state, doneBytes, totalBytes, secondsLeft, error, fix } = transfer
  const isRunning = state === 'running'
  const isWaiting = waitsToRetry(transfer)
  const ask = async (asked: Promise<unknown>) => {
    const answer = await attemptCall(asked)
    if (!answer.ok) showToast(answer.fault.message, { level: 'error' })
  }
  const action = (label: string, run: () => Promise<unknown>) => (
    <button
      key={label}
      type="button"
      className="btn btn-quiet"
      aria-label={`${label}: ${name}`}
      onClick={() => void ask(run())}
    >
      {label}
    </button>
  )
  // The bytes of an upload are in the page, so the host cannot request them again.
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
          label={`Progress of ${name}`}
          share={
            isWaiting && !totalBytes ? 0 : state === 'checking' || !totalBytes ? null : doneBytes / totalBytes
          }
        />
      )}
      {state === 'failed' && (
        <p role="alert" className="text-xs break-words text-danger">
          {error || STATES.failed} <span className="text-ink-2">{fix}</span>
        </p>
      )}
      {isWaiting && <WaitingToRetry transfer={transfer} />}
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <p className="text-xs text-ink-2">
          {[
            ...(isRunning || state === 'paused'
              ? [
                  totalBytes === null || totalBytes === 0
                    ? formatBytes(doneBytes)
                    : formatShare(doneBytes / totalBytes),
                ]
              : []),
            ...(isRunning && secondsLeft !== null ? [`${formatDuration(secondsLeft * 1_000)} left`] : []),
            ...(state === 'failed' ? [] : [isWaiting ? 'Waiting to try again' : STATES[state]]),
          ].join(' · ')}
        </p>
        <div className="-mx-3 flex flex-wrap">
          {isWaiting && action('Retry now', () => client['download.resume']({ id }))}
          {isRunning && canResume && !isWaiting && action('Pause', () => client['download.pause']({ id }))}
          {state === 'paused' && action('Resume', () => client['download.resume']({ id }))}
          {state === 'failed' && canResume && action('Try again', () => client['download.resume']({ id }))}
          {(state === 'failed' || state === 'paused' || isWaiting) &&
            action('Cancel', () => client['download.cancel']({ id }))}
        </div>
      </div>
    </div>
  )
}

/**
 * Makes the first model that arrives the default for new chats while the demo model is the default,
 * because a user who downloads a model means to use it.
 * It listens while the window is open, because a download can outlast the setup.
 */
export function FirstModel(): null {
  const { client } = useLink()
  const host = useHostStore()
  const models = useHost(each => each.models)
  const arrived = useTransfers().find(
    ({ state, modelId }) => state === 'done' && models.some(({ id, demo }) => id === modelId && !demo),
  )
  const [openedAt] = useState(() => Date.now())
  const modelId = arrived?.modelId ?? null
  const endedAt = arrived?.endedAt ?? 0
  useEffect(() => {
    const { models, defaultModelId } = host.getState()
    const model = models.find(each => each.id === modelId)
    const before = models.find(each => each.id === defaultModelId)
    // The user knows of models that arrived before this window opened, and has kept the default.
    if (!model || before?.demo !== true || endedAt < openedAt) return
    void attemptCall(client['model.setDefault']({ id: model.id })).then(set => {
      if (set.ok) showToast(`${model.name} answers in new chats now.`)
    })
  }, [client, host, modelId, endedAt, openedAt])
  return null
}
