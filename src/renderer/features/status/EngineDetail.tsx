import type { ReactNode } from 'react'
import type { EngineState, Model } from '../../../shared/contract/models/model.ts'
import { attemptCall } from '../../rpc/attempt.ts'
import { useHost, useLink } from '../../rpc/host-context.tsx'
import { showToast } from '../../ui/Toasts.tsx'
import { formatCount } from '../../ui/text/format-values.ts'

const states: Readonly<Record<EngineState['phase'], (model: string) => string>> = {
  stopped: model => `${model} is not in memory. It loads with your next message, or now.`,
  starting: () => 'The engine is starting.',
  loading: model => `${model} is being read into memory.`,
  ready: model => `${model} is in memory and answers at once.`,
  busy: model => `${model} is answering.`,
  failed: () => 'The engine stopped.',
}

/** Whether the engine stopped with an error while it had this model. */
export const useEngineFailed = (model: Model | undefined): boolean =>
  useHost(({ engine }) => model !== undefined && !isElsewhere(model) && engine.phase === 'failed')

/** Models of servers, and mixtures of them, do not run in the engine. */
const isElsewhere = ({ kind }: Model) => kind === 'server' || kind === 'mixture'

/**
 * The state of the local engine, with a button that loads the model or frees its memory. Renders nothing for
 * models that run elsewhere.
 */
export function EngineDetail({ model, onDone }: { model: Model | undefined; onDone: () => void }): ReactNode {
  const engine = useHost(host => host.engine)
  const { client } = useLink()
  if (model && isElsewhere(model)) return null
  const ask = async (asked: Promise<unknown>) => {
    onDone()
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
  const held = engine.modelName || model?.name
  const name = (engine.phase === 'stopped' ? model?.name : held) ?? 'No model'
  return (
    <section aria-label="Engine" className="grid gap-2 text-sm text-ink-2">
      <p className={engine.phase === 'failed' ? 'font-medium text-danger' : ''}>
        {engine.error ?? states[engine.phase](name)}
      </p>
      {engine.fix !== null && engine.fix !== '' && <p>{engine.fix}</p>}
      {engine.notice !== null && <p>{engine.notice}</p>}
      {engine.contextTokens !== null && engine.phase !== 'failed' && (
        <p className="text-xs text-ink-3">{`It reads up to ${formatCount(engine.contextTokens)} tokens at once.`}</p>
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
    </section>
  )
}
