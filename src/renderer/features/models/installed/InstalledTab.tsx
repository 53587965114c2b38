import { useEffect, type ReactNode } from 'react'
import { useHost } from '../../../rpc/host-context.tsx'
import { useInMemory, useModels, useModelsPage } from '../models-context.ts'
import { isLocal } from '../models-state.ts'
import { ModelCard } from './ModelCard.tsx'

/** All installed models with their details. */
export function InstalledTab(): ReactNode {
  useFits()
  const models = useHost(host => host.models)
  const { show } = useModelsPage()
  const onlyDemo = models.every(model => model.demo)
  return (
    <>
      <ul aria-label="Models" className="grid grid-cols-[minmax(0,1fr)] gap-2">
        {models.map(model => (
          <ModelCard key={model.id} model={model} />
        ))}
      </ul>
      {onlyDemo && (
        <div className="mt-4 grid justify-items-start gap-2 text-sm text-ink-2">
          <p>Only the small demo model is here. Real work needs a bigger one.</p>
          <button type="button" className="btn btn-primary" onClick={() => show('discover')}>
            Find a model
          </button>
        </div>
      )}
      <p className="mt-4 text-xs text-ink-3">A .gguf file can be dropped anywhere on this window.</p>
    </>
  )
}

/** Reloads the fits when the model list or the loaded model changes. */
function useFits() {
  const loadFits = useModels(models => models.loadFits)
  const models = useHost(host => host.models)
  const inMemory = useInMemory()
  useEffect(() => {
    if (inMemory === undefined) return
    const local = models.filter(model => isLocal(model) && !model.demo && model.problem === null)
    void loadFits(local.map(model => model.id))
  }, [loadFits, models, inMemory])
}
