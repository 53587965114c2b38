import { type ReactNode, useRef, useState, type KeyboardEvent, useEffect } from 'react'
import type { Transfer } from '../../../../shared/contract/models/download.ts'
import { useHost } from '../../../rpc/host-context.tsx'
import { useTransfers } from '../../../rpc/use-lists.ts'
import { isKey } from '../../../ui/keyboard/keys.ts'
import { Progress } from '../../../ui/Progress.tsx'
import { When } from '../../../ui/text/InlineText.tsx'
import { formatBytes, formatDuration } from '../../../ui/text/format-values.ts'
import { showToast } from '../../../ui/Toasts.tsx'
import { WaitingToRetry, waitsToRetry } from '../../../WaitingToRetry.tsx'
import { useModelsPage, useModelActions } from '../use-models.ts'
import { orderTransfers, type ModelsTab } from '../models-state.ts'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'

/** All current and past transfers with their state. */
export function DownloadsTab(): ReactNode {
  const transfers = useTransfers()
  const { show } = useModelsPage()
  const { clear } = useModelActions()
  if (transfers.length === 0) {
    return (
      <div className="grid justify-items-start gap-3 text-sm text-ink-2">
        <p>No downloads yet.</p>
        <button type="button" className="btn btn-secondary" onClick={() => show('discover')}>
          Find a model
        </button>
      </div>
    )
  }
  const isOver = transfers.some(({ state }) => state === 'done')
  return (
    <>
      <ul aria-label="Downloads" className="grid grid-cols-[minmax(0,1fr)] gap-2">
        {orderTransfers(transfers).map(transfer => (
          <TransferRow key={transfer.id} transfer={transfer} />
        ))}
      </ul>
      {isOver && (
        <button type="button" className="btn btn-quiet mt-3" onClick={() => void clear()}>
          Clear finished
        </button>
      )}
    </>
  )
}

const STATES = {
  waiting: 'Waiting',
  running: 'In progress',
  paused: 'Paused',
  checking: 'Checking',
  done: 'Done',
  failed: 'Failed',
} as const

const KINDS = { download: 'Download', copy: 'Copy', upload: 'From this page' } as const

/** A transfer with its progress, speed and actions. */
function TransferRow({ transfer }: { transfer: Transfer }): ReactNode {
  const { name, kind, from, state, doneBytes, totalBytes, error, fix } = transfer
  const [asks, setAsks] = useState(false)
  const row = useRef<HTMLLIElement>(null)
  const leave = () => {
    setAsks(false)
    requestAnimationFrame(() => row.current?.querySelector<HTMLElement>('[data-cancel]')?.focus())
  }
  const isMoving = state === 'running' || state === 'checking'
  const share = totalBytes ? Math.min(1, doneBytes / totalBytes) : null
  const bar = isMoving && !waitsToRetry(transfer) ? share : (share ?? 0)
  return (
    <li ref={row} className="model-card">
      <div className="flex flex-wrap items-start gap-2">
        <div className="min-w-0 flex-1 basis-56">
          <p dir="auto" className="text-sm font-medium break-all">
            {showHidden(name)}
          </p>
          <p className="text-xs break-words text-ink-3">{factsOf(transfer).join(' · ')}</p>
          {from !== '' && (
            <p dir="ltr" title={from} className="truncate text-xs text-ink-3">
              {from}
            </p>
          )}
        </div>
        {!asks && <Buttons transfer={transfer} onCancel={() => setAsks(true)} />}
      </div>
      {asks && <Cancel transfer={transfer} onLeave={leave} />}
      {state !== 'done' && (
        <div className="mt-2 grid gap-1">
          <Progress label={`Progress of ${name}`} share={state === 'checking' ? null : bar} />
        </div>
      )}
      {waitsToRetry(transfer) && (
        <div className="mt-2">
          <WaitingToRetry transfer={transfer} />
        </div>
      )}
      {state === 'failed' && (
        <div role="alert" className="mt-2 grid gap-1 text-sm">
          <p className="font-medium text-danger">{error || STATES.failed}</p>
          {fix !== '' && <p className="text-ink-2">{fix}</p>}
          {kind === 'upload' && fix === '' && <p className="text-ink-2">Drop the file again to retry.</p>}
        </div>
      )}
      {state === 'done' && transfer.endedAt !== null && (
        <p className="mt-1 text-xs text-ink-3">
          <When at={transfer.endedAt} />
        </p>
      )}
    </li>
  )
}

function factsOf(transfer: Transfer): string[] {
  const { kind, state, doneBytes, totalBytes, bytesPerSecond, secondsLeft, verified, here = false } = transfer
  const isRunning = state === 'running'
  return [
    KINDS[kind],
    waitsToRetry(transfer) ? 'Waiting to try again' : STATES[state],
    totalBytes === null ? formatBytes(doneBytes) : `${formatBytes(doneBytes)} of ${formatBytes(totalBytes)}`,
    ...(isRunning && bytesPerSecond !== null ? [`${formatBytes(bytesPerSecond)}/s`] : []),
    ...(isRunning && secondsLeft !== null ? [`${formatDuration(secondsLeft * 1_000)} left`] : []),
    ...(state === 'done' && here ? ['was already on this computer, nothing was downloaded'] : []),
    ...(state === 'done' && kind === 'download' && !here
      ? [verified ? 'checksum matches' : 'no checksum to check']
      : []),
  ]
}

function Buttons({ transfer, onCancel }: { transfer: Transfer; onCancel: () => void }) {
  const { id, name, kind, from, state, doneBytes, modelId, here = false } = transfer
  const { pause, resume, cancel, load, download } = useModelActions()
  const { show, store } = useModelsPage()
  const isKnown = useHost(host => host.models.some(model => model.id === modelId))
  // An upload cannot be paused: the page sends its bytes, and the host cannot request them again.
  const canPause = kind !== 'upload' && (state === 'running' || state === 'waiting')
  const button = (action: string, onClick: () => void, look = 'btn-secondary') => (
    <button
      key={action}
      type="button"
      className={`btn ${look}`}
      aria-label={`${action}: ${name}`}
      onClick={onClick}
    >
      {action}
    </button>
  )
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      {waitsToRetry(transfer) && button('Retry now', () => void resume(id), 'btn-primary')}
      {canPause && button('Pause', () => void pause(id))}
      {state === 'paused' && button('Resume', () => void resume(id), 'btn-primary')}
      {state === 'failed' && kind !== 'upload' && button('Try again', () => void resume(id), 'btn-primary')}
      {state === 'done' &&
        here &&
        button('Download again', () => void download({ address: from, again: true }))}
      {state === 'done' &&
        isKnown &&
        modelId !== null &&
        button(
          'Load it',
          () => {
            store.getState().open(modelId)
            show('installed')
            void load(modelId)
          },
          'btn-primary',
        )}
      {state !== 'done' && (
        <button
          type="button"
          data-cancel=""
          className="btn btn-quiet"
          aria-label={`Cancel: ${name}`}
          // With nothing transferred yet, cancelling needs no confirmation.
          onClick={() => (doneBytes > 0 ? onCancel() : void cancel(id))}
        >
          Cancel
        </button>
      )}
    </div>
  )
}

/** Asks for confirmation before received data is deleted. Esc dismisses the question. */
function Cancel({ transfer, onLeave }: { transfer: Transfer; onLeave: () => void }) {
  const { cancel } = useModelActions()
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isKey(event, 'escape')) return
    event.preventDefault()
    onLeave()
  }
  return (
    <div role="presentation" className="contents" onKeyDown={onKeyDown}>
      <fieldset className="cancel-ask">
        <legend className="sr-only">Cancel and delete what has arrived so far?</legend>
        <span aria-hidden="true" className="text-sm">
          Cancel and delete what has arrived so far?
        </span>
        <button
          type="button"
          className="btn btn-danger"
          aria-label={`Cancel: ${transfer.name}`}
          onClick={() => void cancel(transfer.id)}
        >
          Cancel
        </button>
        <button
          type="button"
          className="btn btn-secondary"
          // The user has just pressed the button that this one replaces.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          onClick={onLeave}
        >
          Keep it
        </button>
      </fieldset>
    </div>
  )
}

const isFlowing = ({ state, bytesPerSecond }: Transfer) => state !== 'running' || (bytesPerSecond ?? 0) > 0

/** Shows one toast, on every page, when a transfer completes, fails or starts to wait for a server. */
export function TransferToasts({ onShow }: { onShow: (tab: ModelsTab) => void }): null {
  const transfers = useTransfers()
  const [openedAt] = useState(() => Date.now())
  const before = useRef(new Map<string, Transfer['state']>())
  const waiting = useRef<ReadonlySet<string>>(new Set())
  useEffect(() => {
    for (const { id, name, state, endedAt, here = false } of transfers) {
      const was = before.current.get(id)
      // Skip transfers that ended before this window opened. A small file may end before its first event.
      const isNews = was === undefined ? (endedAt ?? 0) > openedAt : was !== state
      if (!isNews) continue
      if (state === 'done') {
        showToast(here ? `${name} is already on this computer.` : `${name} is ready to use.`, {
          about: id,
          action: { label: 'Show', run: () => onShow('installed') },
        })
      } else if (state === 'failed') {
        showToast(`${name} could not be added.`, {
          about: id,
          level: 'error',
          action: { label: 'Show', run: () => onShow('downloads') },
        })
      }
    }
    for (const transfer of transfers.filter(waitsToRetry)) {
      const { id, name, note, retryAt } = transfer
      if (waiting.current.has(id)) continue
      showToast(
        `${name} is waiting. ${note ?? ''} Talaria tries again in ${formatDuration(Math.max(1_000, retryAt - Date.now()))}.`,
        { about: id, action: { label: 'Show', run: () => onShow('downloads') } },
      )
    }
    before.current = new Map(transfers.map(({ id, state }) => [id, state]))
    // An attempt between two waits is not reported again, unless bytes arrived.
    waiting.current = new Set(
      transfers
        .filter(each => waitsToRetry(each) || (waiting.current.has(each.id) && !isFlowing(each)))
        .map(({ id }) => id),
    )
  }, [transfers, onShow, openedAt])
  return null
}
