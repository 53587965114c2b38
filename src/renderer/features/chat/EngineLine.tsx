import type { ReactNode } from 'react'
import type { HostClient } from '../../../shared/contract/index.ts'
import type { EngineState, LoadFix, Model } from '../../../shared/contract/model.ts'
import { attempt } from '../../rpc/attempt.ts'
import { useHost, useLink } from '../../rpc/host-context.tsx'
import { incomingShare } from '../../rpc/incoming.ts'
import { formatBytes, formatShare } from '../../ui/format.ts'
import { showToast } from '../../ui/toasts.ts'
import { useModel } from './session.ts'
import { chatText } from './strings.ts'

const text = chatText.empty

type Props = { onAddModel: () => void }
type LoadHow = Omit<Parameters<HostClient['model.load']>[0], 'id'>

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
  const { client } = useLink()
  const engine = useHost(host => host.engine)
  const phase = engine.modelId === model.id || engine.phase === 'failed' ? engine.phase : 'stopped'
  const load = async (how: LoadHow = {}) => {
    const answer = await attempt(client['model.load']({ id: model.id, ...how }))
    if (!answer.ok) showToast(answer.fault.message, { level: 'error' })
  }
  if (phase === 'failed')
    return (
      <>
        <p className="text-danger">
          {engine.error} {engine.fix}
        </p>
        {engine.modelId === model.id && <Fixes fixes={engine.fixes} onLoad={how => void load(how)} />}
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

type FixesProps = { fixes: EngineState['fixes']; onLoad: (how: LoadHow) => void }

function Fixes({ fixes, onLoad }: FixesProps) {
  return (
    <p className="flex flex-wrap justify-center gap-2">
      {fixes.flatMap(fix => {
        const way = wayToLoad(fix)
        if (!way) return []
        const [label, how] = way
        return [
          <button key={label} type="button" className="btn btn-secondary" onClick={() => onLoad(how)}>
            {label}
          </button>,
        ]
      })}
    </p>
  )
}

/** What a button below a load that failed says and does; undefined for what only the Models page can do. */
function wayToLoad(fix: LoadFix): [label: string, how: LoadHow] | undefined {
  const { fixes } = text
  switch (fix.do) {
    case 'context':
      return [fixes.context(fix.tokens), { options: { contextTokens: fix.tokens } }]
    case 'layers':
      return [fixes.layers(fix.gpuLayers), { options: { gpuLayers: fix.gpuLayers } }]
    case 'cpu':
      return [fixes.cpu, { cpu: true }]
    case 'anyway':
      return [fixes.anyway, { anyway: true }]
    case 'again':
      return [fixes.again, {}]
    case 'smaller':
      return undefined
  }
}
