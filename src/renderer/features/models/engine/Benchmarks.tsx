import { useId, useState, type ReactNode } from 'react'
import type { EngineInfo } from '../../../../shared/contract/model.ts'
import { useHost } from '../../../rpc/host-context.tsx'
import { Scrollable } from '../../../ui/Scrollable.tsx'
import { Select } from '../../../ui/Select.tsx'
import { Spinner } from '../../../ui/Spinner.tsx'
import { When } from '../../../ui/When.tsx'
import { isLocal } from '../models-state.ts'
import { pageText } from '../page-strings.ts'
import { modelsText } from '../strings.ts'
import { useActions } from '../use-actions.ts'

const text = pageText.engine

/** How fast models were here, each with the day, and a way to measure again. */
export function Benchmarks({ engine }: { engine: EngineInfo }): ReactNode {
  const id = useId()
  const { columns } = text
  return (
    <section aria-labelledby={id} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div>
        <h2 id={id} className="text-xs font-semibold text-ink-2">
          {text.speed}
        </h2>
        <p className="text-xs text-ink-3">{text.speedSays}</p>
      </div>
      <Measure />
      {engine.benchmarks.length === 0 ? (
        <p className="text-sm text-ink-2">{text.never}</p>
      ) : (
        <Scrollable label={text.speed} className="overflow-x-auto">
          <table className="speed-table">
            <thead>
              <tr>
                {(['model', 'reads', 'writes', 'on', 'when'] as const).map(column => (
                  <th key={column} scope="col">
                    {columns[column]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {engine.benchmarks.map(each => (
                <tr key={`${each.modelId} ${each.at} ${each.backend}`}>
                  <th scope="row" dir="auto">
                    {each.modelName}
                  </th>
                  <td>{text.rate(each.promptPerSecond)}</td>
                  <td>{text.rate(each.writePerSecond)}</td>
                  <td>{text.on(each.backend, each.threads)}</td>
                  <td>
                    <When at={each.at} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </Scrollable>
      )}
    </section>
  )
}

function Measure() {
  const models = useHost(host => host.models)
  const local = models.filter(model => isLocal(model) && model.problem === null)
  const loaded = useHost(host => host.engine.modelId)
  const isBusy = useHost(host => host.engine.phase === 'busy')
  const [chosen, setChosen] = useState<string | null>(null)
  const [measures, setMeasures] = useState(false)
  const { benchmark } = useActions()
  const model = local.find(each => each.id === (chosen ?? loaded)) ?? local[0]
  if (!model) return null
  const measure = async () => {
    setMeasures(true)
    await benchmark(model.id)
    setMeasures(false)
  }
  return (
    <div className="flex flex-wrap items-end gap-2">
      <Select
        label={text.model}
        showLabel
        className="min-w-0 flex-1 basis-56"
        value={model.id}
        options={local.map(each => ({ value: each.id, label: each.demo ? modelsText.demo : each.name }))}
        onChange={setChosen}
      />
      <button
        type="button"
        className="btn btn-secondary"
        disabled={measures || isBusy}
        onClick={() => void measure()}
      >
        {measures && <Spinner />}
        {measures ? text.measuring : text.measure}
      </button>
    </div>
  )
}
