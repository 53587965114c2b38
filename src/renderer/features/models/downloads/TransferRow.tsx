import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import type { Transfer } from '../../../../shared/contract/transfers.ts'
import { useHost } from '../../../rpc/host-context.tsx'
import { isKey } from '../../../ui/keys.ts'
import { Progress } from '../../../ui/Progress.tsx'
import { When } from '../../../ui/When.tsx'
import { useModelsPage } from '../models-context.ts'
import { pageText } from '../page-strings.ts'
import { useActions } from '../use-actions.ts'

const text = pageText.downloads

/** One file on its way: how far it is, how fast, and what can be done about it. */
export function TransferRow({ transfer }: { transfer: Transfer }): ReactNode {
  const { name, kind, from, state, doneBytes, totalBytes, error, fix } = transfer
  const [asks, setAsks] = useState(false)
  const row = useRef<HTMLLIElement>(null)
  const leave = () => {
    setAsks(false)
    requestAnimationFrame(() => row.current?.querySelector<HTMLElement>('[data-cancel]')?.focus())
  }
  const isMoving = state === 'running' || state === 'checking'
  const share = totalBytes ? Math.min(1, doneBytes / totalBytes) : null
  const bar = isMoving ? share : (share ?? 0)
  return (
    <li ref={row} className="model-card">
      <div className="flex flex-wrap items-start gap-2">
        <div className="min-w-0 flex-1 basis-56">
          <p dir="auto" className="text-sm font-medium break-all">
            {name}
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
          <Progress label={text.progress(name)} share={state === 'checking' ? null : bar} />
        </div>
      )}
      {state === 'failed' && (
        <div role="alert" className="mt-2 grid gap-1 text-sm">
          <p className="font-medium text-danger">{error || text.states.failed}</p>
          {fix !== '' && <p className="text-ink-2">{fix}</p>}
          {kind === 'upload' && fix === '' && <p className="text-ink-2">{text.uploadLost}</p>}
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
  const { kind, state, doneBytes, totalBytes, bytesPerSecond, secondsLeft, verified } = transfer
  const isRunning = state === 'running'
  return [
    text.kinds[kind],
    text.states[state],
    text.of(doneBytes, totalBytes),
    ...(isRunning && bytesPerSecond !== null ? [text.speed(bytesPerSecond)] : []),
    ...(isRunning && secondsLeft !== null ? [text.left(secondsLeft)] : []),
    ...(state === 'done' && kind === 'download' ? [verified ? text.verified : text.notVerified] : []),
  ]
}

function Buttons({ transfer, onCancel }: { transfer: Transfer; onCancel: () => void }) {
  const { id, name, kind, state, doneBytes, modelId } = transfer
  const { pause, resume, cancel, load } = useActions()
  const { show, store } = useModelsPage()
  const isKnown = useHost(host => host.models.some(model => model.id === modelId))
  // The bytes of an upload are in the page, and nobody can ask for them.
  const canPause = kind !== 'upload' && (state === 'running' || state === 'waiting')
  const button = (action: string, onClick: () => void, look = 'btn-secondary') => (
    <button
      key={action}
      type="button"
      className={`btn ${look}`}
      aria-label={text.named(action, name)}
      onClick={onClick}
    >
      {action}
    </button>
  )
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      {canPause && button(text.pause, () => void pause(id))}
      {state === 'paused' && button(text.resume, () => void resume(id), 'btn-primary')}
      {state === 'failed' && kind !== 'upload' && button(text.again, () => void resume(id), 'btn-primary')}
      {state === 'done' &&
        isKnown &&
        modelId !== null &&
        button(
          text.load,
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
          aria-label={text.named(text.stop, name)}
          // Where nothing has come, nothing is thrown away by a slip.
          onClick={() => (doneBytes > 0 ? onCancel() : void cancel(id))}
        >
          {text.stop}
        </button>
      )}
    </div>
  )
}

/** Asks before what has come is thrown away; Esc takes the question back. */
function Cancel({ transfer, onLeave }: { transfer: Transfer; onLeave: () => void }) {
  const { cancel } = useActions()
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isKey(event, 'escape')) return
    event.preventDefault()
    onLeave()
  }
  return (
    <div role="presentation" className="contents" onKeyDown={onKeyDown}>
      <fieldset className="cancel-ask">
        <legend className="sr-only">{text.stopQuestion}</legend>
        <span aria-hidden="true" className="text-sm">
          {text.stopQuestion}
        </span>
        <button
          type="button"
          className="btn btn-danger"
          aria-label={text.named(text.stop, transfer.name)}
          onClick={() => void cancel(transfer.id)}
        >
          {text.stop}
        </button>
        <button
          type="button"
          className="btn btn-secondary"
          // The person has just pressed what stood here.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          onClick={onLeave}
        >
          {text.keep}
        </button>
      </fieldset>
    </div>
  )
}
