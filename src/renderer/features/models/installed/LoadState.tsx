import type { ReactNode } from 'react'
import type { Model } from '../../../../shared/contract/model.ts'
import { useHost } from '../../../rpc/host-context.tsx'
import { Progress } from '../../../ui/Progress.tsx'
import { pageText } from '../page-strings.ts'
import { useActions } from '../use-actions.ts'

/** How far a model is with being loaded, or why it was not, with what can be done about it. */
export function LoadState({ model }: { model: Model }): ReactNode {
  const engine = useHost(host => (host.engine.modelId === model.id ? host.engine : null))
  const { cancelLoad, fix } = useActions()
  if (!engine) return null
  const { phase, progress, error, fix: advice, notice } = engine
  if (phase === 'loading' || phase === 'starting') {
    const words = phase === 'starting' ? pageText.starting : pageText.reading(progress)
    return (
      <div className="mt-3 grid gap-1.5">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <span className="text-sm text-ink-2">{words}</span>
          <button type="button" className="btn btn-secondary" onClick={() => void cancelLoad()}>
            {pageText.stopLoading}
          </button>
        </div>
        <Progress label={pageText.loading(model.name)} share={progress} />
      </div>
    )
  }
  if (phase === 'failed') {
    return (
      <div role="alert" className="load-failed">
        <p className="text-sm font-medium text-danger">{error ?? pageText.failed}</p>
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
                {pageText.fixes(each)}
              </button>
            ))}
          </div>
        )}
      </div>
    )
  }
  return notice === null ? null : <p className="mt-2 text-xs text-ink-2">{notice}</p>
}
