import type { ReactNode } from 'react'
import type { Model, LoadFix } from '../../../../shared/contract/models/model.ts'
import { useHost } from '../../../rpc/host-context.tsx'
import { Progress } from '../../../ui/Progress.tsx'
import { formatCount, formatShare } from '../../../ui/text/format-values.ts'
import { useModelActions } from '../use-models.ts'

const labelOf = (fix: LoadFix): string => {
  switch (fix.do) {
    case 'context':
      return `Use a context of ${formatCount(fix.tokens)} tokens`
    case 'layers':
      return `Put ${formatCount(fix.gpuLayers)} layers on the graphics card`
    case 'cpu':
      return 'Load without the graphics card'
    case 'anyway':
      return 'Load anyway'
    case 'smaller':
      return 'Look for a smaller file'
    case 'again':
      return 'Try again'
  }
}

/** The progress of loading a model, or why it failed and how to fix it. */
export function LoadState({ model }: { model: Model }): ReactNode {
  const engine = useHost(host => (host.engine.modelId === model.id ? host.engine : null))
  const { cancelLoad, fix } = useModelActions()
  if (!engine) return null
  const { phase, progress, error, fix: advice, notice } = engine
  if (phase === 'loading' || phase === 'starting') {
    const words =
      phase === 'starting'
        ? 'Starting the engine…'
        : progress === null
          ? 'Reading the file…'
          : `Reading the file, ${formatShare(progress)}`
    return (
      <div className="mt-3 grid gap-1.5">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <span className="text-sm text-ink-2">{words}</span>
          <button type="button" className="btn btn-secondary" onClick={() => void cancelLoad()}>
            Stop loading
          </button>
        </div>
        <Progress label={`Loading ${model.name}`} share={progress} />
      </div>
    )
  }
  if (phase === 'failed') {
    return (
      <div role="alert" className="load-failed">
        <p className="text-sm font-medium text-danger">{error ?? 'It could not be loaded.'}</p>
        {advice !== null && advice !== '' && <p className="text-sm text-ink-2">{advice}</p>}
        {engine.fixes.length > 0 && (
          <div className="flex flex-wrap gap-2">
            {engine.fixes.map(each => (
              <button
                key={JSON.stringify(each)}
                type="button"
                className="btn btn-secondary"
                onClick={() => void fix(model.id, each)}
              >
                {labelOf(each)}
              </button>
            ))}
          </div>
        )}
      </div>
    )
  }
  return notice === null ? null : <p className="mt-2 text-xs text-ink-2">{notice}</p>
}
