import type { ReactNode } from 'react'
import type { HostClient } from '../../../shared/contract/index.ts'
import type { LoadFix, Model } from '../../../shared/contract/models/model.ts'
import { modelNote } from '../../../shared/words/model-words.ts'
import { attemptCall } from '../../rpc/attempt.ts'
import { useHost, useLink } from '../../rpc/host-context.tsx'
import { useTransfers } from '../../rpc/use-lists.ts'
import { incomingShare, isMoving } from '../../rpc/host-state.ts'
import { formatBytes, formatCount, formatShare } from '../../ui/text/format-values.ts'
import { showToast } from '../../ui/Toasts.tsx'
import { useModel } from './store/open-chats.ts'

const engineTexts = {
  stopped: 'The model loads with your first message.',
  starting: 'The engine is starting…',
  loading: 'The model is being loaded…',
  ready: 'The model is loaded and ready.',
  busy: 'The model is busy.',
}

type Props = { onAddModel: () => void }

/** One line about the answering model: whether it is ready, how to fix it, or where the messages go. */
export function EngineLine({ onAddModel }: Props): ReactNode {
  const model = useModel()
  const note = model && model.problem === null ? modelNote(model) : undefined
  return (
    <div className="grid gap-2 px-3 text-sm text-ink-3">
      <Line model={model} onAddModel={onAddModel} />
      {note !== undefined && <p className="text-warn">{note}</p>}
    </div>
  )
}

function Line({ model, onAddModel }: Props & { model: Model | undefined }) {
  const failed = useHost(host => host.engine.phase === 'failed')
  const add = (
    <button type="button" className="font-medium text-accent hover:underline" onClick={() => onAddModel()}>
      Add a model
    </button>
  )
  if (!model) return <p>No model is chosen yet. {add}</p>
  if (model.problem !== null)
    return (
      <p className="text-danger">
        {model.problem} {add}
      </p>
    )
  if (model.kind === 'server') return <Remote model={model} />
  if (model.mixture) return <p>{`This mixture ${model.detail}.`}</p>
  if (model.demo && !failed)
    return (
      <p>
        This model is tiny and understands few requests. Real work needs a bigger model.{' '}
        <Coming otherwise={add} />
      </p>
    )
  return <Local model={model} />
}

/** The progress of a better model that is still downloading. */
function Coming({ otherwise }: { otherwise: ReactNode }) {
  const transfers = useTransfers()
  const share = incomingShare(transfers)
  const coming = transfers.find(isMoving)
  return share === null || !coming ? otherwise : `${coming.name} is downloading: ${formatShare(share)}.`
}

function Remote({ model }: { model: Model }) {
  const locked = useHost(host => host.locked)
  if (model.server?.nearby)
    return <p>{`Messages are sent to the server of ${model.name}, on this computer.`}</p>
  return locked ? (
    <p className="text-warn">{`The offline lock is on, so ${model.name} is blocked. Choose a model on this computer, or turn the lock off.`}</p>
  ) : (
    <p>{`Messages are sent to the server of ${model.name}.`}</p>
  )
}

function Local({ model }: { model: Model }) {
  const engine = useHost(host => host.engine)
  const phase = engine.modelId === model.id || engine.phase === 'failed' ? engine.phase : 'stopped'
  const load = useLoad(model)
  if (phase === 'failed')
    return (
      <>
        <p className="text-danger">
          {engine.error} {engine.fix}
        </p>
        <LoadFixes model={model} />
      </>
    )
  const size = model.sizeBytes === null ? '' : formatBytes(model.sizeBytes)
  return (
    <p className="flex flex-wrap items-baseline gap-x-2">
      {phase === 'loading' && engine.progress !== null
        ? `The model is being loaded, ${formatShare(engine.progress)}.`
        : engineTexts[phase]}
      {phase === 'stopped' && !model.demo && (
        <button
          type="button"
          className="max-w-full truncate font-medium text-accent hover:underline"
          onClick={() => void load()}
        >
          <bdi>{size === '' ? `Load ${model.name}` : `Load ${model.name}, ${size}`}</bdi>
        </button>
      )}
    </p>
  )
}

type LoadHow = Omit<Parameters<HostClient['model.load']>[0], 'id'>

/** Load a model now with the given options. A failure is shown as a notification. */
function useLoad({ id }: Pick<Model, 'id'>): (how?: LoadHow) => Promise<void> {
  const { client } = useLink()
  return async (how = {}) => {
    const answer = await attemptCall(client['model.load']({ id, ...how }))
    if (!answer.ok) showToast(answer.fault.message, { level: 'error' })
  }
}

/** Buttons that fix a model that did not load; nothing if no fix is known. */
export function LoadFixes({ model }: { model: Pick<Model, 'id'> }): ReactNode {
  const load = useLoad(model)
  const failed = useHost(({ engine }) => engine.phase === 'failed' && engine.modelId === model.id)
  const fixes = useHost(host => host.engine.fixes)
  const ways = failed ? fixes.flatMap(fix => wayToLoad(fix) ?? []) : []
  if (ways.length === 0) return null
  return (
    <p className="flex flex-wrap gap-2">
      {ways.map(({ label, how }) => (
        <button key={label} type="button" className="btn btn-secondary" onClick={() => void load(how)}>
          {label}
        </button>
      ))}
    </p>
  )
}

/** The label and action of a fix; undefined for fixes that only the Models page offers. */
function wayToLoad(fix: LoadFix): { label: string; how: LoadHow } | undefined {
  switch (fix.do) {
    case 'context':
      return {
        label: `Use a context of ${formatCount(fix.tokens)} tokens`,
        how: { options: { contextTokens: fix.tokens } },
      }
    case 'layers':
      return {
        label: `Put ${formatCount(fix.gpuLayers)} layers on the graphics card`,
        how: { options: { gpuLayers: fix.gpuLayers } },
      }
    case 'cpu':
      return { label: 'Load without the graphics card', how: { cpu: true } }
    case 'anyway':
      return { label: 'Load anyway', how: { anyway: true } }
    case 'again':
      return { label: 'Try again', how: {} }
    case 'smaller':
      return undefined
  }
}
