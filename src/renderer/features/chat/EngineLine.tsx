import type { ReactNode } from 'react'
import type { Model } from '../../../shared/contract/model.ts'
import { useHost } from '../../rpc/host-context.tsx'
import { incomingShare } from '../../rpc/incoming.ts'
import { formatBytes, formatShare } from '../../ui/format.ts'
import { LoadFixes, useLoad } from './LoadFixes.tsx'
import { useModel } from './session.ts'
import { chatText } from './strings.ts'

const text = chatText.empty

type Props = { onAddModel: () => void }

/** Which model answers, whether it is ready, what can be done when it is not, and where what is written goes. */
export function EngineLine({ onAddModel }: Props): ReactNode {
  const model = useModel()
  const add = (
    <button type="button" className="font-medium text-accent hover:underline" onClick={() => onAddModel()}>
      {text.addModel}
    </button>
  )
  return (
    <div className="mx-auto grid max-w-lg gap-2 text-center text-sm text-balance text-ink-3">
      {!model && (
        <p>
          {text.noModel} {add}
        </p>
      )}
      {model?.demo && (
        <p className="text-ink-2">
          {text.demo} <Coming otherwise={add} />
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

/** Who waits for a better model sees how far it is. */
function Coming({ otherwise }: { otherwise: ReactNode }) {
  const transfers = useHost(host => host.transfers)
  const share = incomingShare(transfers)
  const coming = transfers.find(({ state }) => ['waiting', 'running', 'checking'].includes(state))
  return share === null || !coming ? otherwise : text.coming(coming.name, formatShare(share))
}

function Remote({ model }: { model: Model }) {
  const locked = useHost(host => host.locked)
  if (model.server?.nearby) return <p>{text.nearby(model.name)}</p>
  return locked ? <p className="text-warn">{text.locked(model.name)}</p> : <p>{text.remote(model.name)}</p>
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
          ? text.loadingShare(formatShare(engine.progress))
          : text.engine[phase]}{' '}
        {text.local}
      </p>
      {phase === 'stopped' && !model.demo && (
        <p>
          <button type="button" className="btn btn-quiet max-w-full text-accent" onClick={() => void load()}>
            <span dir="auto" className="truncate">
              {text.load(model.name, size)}
            </span>
          </button>
        </p>
      )}
    </>
  )
}
