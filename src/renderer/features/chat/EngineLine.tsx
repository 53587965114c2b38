import type { ReactNode } from 'react'
import type { Model } from '../../../shared/contract/model.ts'
import { useHost } from '../../rpc/host-context.tsx'
import { incomingShare } from '../../rpc/host-state.ts'
import { formatBytes, formatShare } from '../../ui/format.ts'
import { LoadFixes, useLoad } from './LoadFixes.tsx'
import { useModel } from './use-session.ts'

const engineTexts = {
  stopped: 'The model is loaded with your first message.',
  starting: 'The engine is starting…',
  loading: 'The model is being loaded…',
  ready: 'The model is loaded and ready.',
  busy: 'The model is busy.',
}

type Props = { onAddModel: () => void }

/** Which model answers, whether it is ready, how to fix it when it is not, and where the messages go. */
export function EngineLine({ onAddModel }: Props): ReactNode {
  const model = useModel()
  const add = (
    <button type="button" className="font-medium text-accent hover:underline" onClick={() => onAddModel()}>
      Add a model
    </button>
  )
  return (
    <div className="mx-auto grid max-w-lg gap-2 text-center text-sm text-balance text-ink-3">
      {!model && <p>No model is chosen yet. {add}</p>}
      {model?.demo && (
        <p className="text-ink-2">
          This is the built-in demo model: it is tiny and understands a handful of requests. Real work needs a
          bigger model. <Coming otherwise={add} />
        </p>
      )}
      {model && model.problem !== null && (
        <p className="text-danger">
          {model.problem} {add}
        </p>
      )}
      {model && model.problem === null && model.kind === 'server' && <Remote model={model} />}
      {model && model.problem === null && model.kind !== 'server' && <Local model={model} />}
    </div>
  )
}

/** The progress of a better model that is still on its way. */
function Coming({ otherwise }: { otherwise: ReactNode }) {
  const transfers = useHost(host => host.transfers)
  const share = incomingShare(transfers)
  const coming = transfers.find(({ state }) => ['waiting', 'running', 'checking'].includes(state))
  return share === null || !coming ? otherwise : `${coming.name} is downloading: ${formatShare(share)}.`
}

function Remote({ model }: { model: Model }) {
  const locked = useHost(host => host.locked)
  if (model.server?.nearby)
    return <p>{`Messages are sent to the server of ${model.name}, on this computer.`}</p>
  return locked ? (
    <p className="text-warn">{`The offline lock is on, so ${model.name} is blocked. Choose a model on this computer, or switch the lock off under Settings, Privacy and network.`}</p>
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
    <>
      <p>
        {phase === 'loading' && engine.progress !== null
          ? `The model is being loaded, ${formatShare(engine.progress)}.`
          : engineTexts[phase]}{' '}
        It runs on this computer; nothing leaves it.
      </p>
      {phase === 'stopped' && !model.demo && (
        <p>
          <button type="button" className="btn btn-quiet max-w-full text-accent" onClick={() => void load()}>
            <span dir="auto" className="truncate">
              {`Load ${model.name}${size === '' ? '' : `, ${size}`}`}
            </span>
          </button>
        </p>
      )}
    </>
  )
}
