import type { ReactNode } from 'react'
import type { EngineState, Model } from '../../../shared/contract/model.ts'
import { attemptCall } from '../../rpc/attempt.ts'
import { useHost, useLink } from '../../rpc/host-context.tsx'
import { cx } from '../../ui/style.ts'
import { Popover } from '../../ui/Popover.tsx'
import { Spinner } from '../../ui/Progress.tsx'
import { showToast } from '../../ui/Toasts.tsx'
import { formatCount, formatShare } from '../../ui/format.ts'

const engineNames = {
  stopped: 'Engine asleep',
  starting: 'Engine starting…',
  ready: 'Engine ready',
  busy: 'Working',
  failed: 'Engine stopped',
}
const engineAbout = {
  stopped: (model: string) => `${model} is not in memory. It loads with your next message, or now.`,
  starting: () => 'The engine is starting.',
  loading: (model: string) => `${model} is being read into memory.`,
  ready: (model: string) => `${model} is in memory and answers at once.`,
  busy: (model: string) => `${model} is answering.`,
  failed: () => 'The engine stopped.',
}

/** The state of the engine. A click opens the details, with Load and Unload. */
export function EngineSegment({ model }: { model: Model | undefined }): ReactNode {
  const engine = useHost(host => host.engine)
  const server = model?.kind === 'server'
  const words = server ? 'Answers come from a server' : engineWords(engine)
  return (
    <Popover
      label="Engine"
      side="above"
      className="w-80 max-w-[calc(100vw-1rem)] p-3"
      renderButton={props => (
        <button
          type="button"
          className={cx('status-item', !server && engine.phase === 'failed' && 'text-danger')}
          {...props}
        >
          {server ? null : <Sign phase={engine.phase} />}
          <span className="truncate">{words}</span>
        </button>
      )}
    >
      {close =>
        server ? (
          <p className="text-sm text-ink-2">{`${model.name} runs on a server${model.detail === '' ? '' : ` (${model.detail})`}.`}</p>
        ) : (
          <About engine={engine} model={model} close={close} />
        )
      }
    </Popover>
  )
}

function engineWords({ phase, progress, notice }: EngineState): string {
  const share = progress === null ? '…' : ` ${formatShare(progress)}`
  const words = phase === 'loading' ? `Loading the model${share}` : engineNames[phase]
  return notice === null ? words : `${words} · smaller context`
}

const dots: Record<EngineState['phase'], string> = {
  stopped: 'bg-ink-3',
  starting: '',
  loading: '',
  ready: 'bg-good',
  busy: 'bg-accent pulse',
  failed: 'bg-danger',
}

function Sign({ phase }: { phase: EngineState['phase'] }) {
  if (phase === 'starting' || phase === 'loading') return <Spinner size={12} />
  return <span aria-hidden="true" className={cx('size-2 shrink-0 rounded-full', dots[phase])} />
}

type AboutProps = { engine: EngineState; model: Model | undefined; close: () => void }

function About({ engine, model, close }: AboutProps) {
  const { client } = useLink()
  const name = engine.modelName || model?.name || 'no model'
  const ask = async (asked: Promise<unknown>) => {
    close()
    const outcome = await attemptCall(asked)
    if (!outcome.ok) showToast(outcome.fault.message, { level: 'error' })
  }
  const offer = {
    stopped: model && { label: 'Load now', call: () => client['model.load']({ id: model.id }) },
    failed: model && { label: 'Try again', call: () => client['model.load']({ id: model.id }) },
    ready: { label: 'Free the memory', call: () => client['model.unload']({}) },
    starting: undefined,
    loading: undefined,
    busy: undefined,
  }[engine.phase]
  const title = engine.phase === 'stopped' ? (model?.name ?? name) : name
  return (
    <div className="grid gap-2 text-sm">
      <p className={engine.phase === 'failed' ? 'font-medium text-danger' : ''}>
        {engine.error ?? engineAbout[engine.phase](title)}
      </p>
      {engine.fix !== null && engine.fix !== '' && <p className="text-ink-2">{engine.fix}</p>}
      {engine.notice !== null && <p className="text-ink-2">{engine.notice}</p>}
      {engine.contextTokens !== null && engine.phase !== 'failed' && (
        <p className="text-ink-3">{`It reads up to ${formatCount(engine.contextTokens)} tokens at once.`}</p>
      )}
      {offer && (
        <button
          type="button"
          className="btn btn-secondary justify-self-start"
          onClick={() => void ask(offer.call())}
        >
          {offer.label}
        </button>
      )}
    </div>
  )
}
