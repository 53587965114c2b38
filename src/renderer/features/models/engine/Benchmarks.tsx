import { useId, useState, type ReactNode } from 'react'
import type { EngineInfo } from '../../../../shared/contract/model.ts'
import { useHost } from '../../../rpc/host-context.tsx'
import { Scrollable } from '../../../ui/Scrollable.tsx'
import { Select } from '../../../ui/Choice.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import { When } from '../../../ui/InlineText.tsx'
import { isLocal } from '../models-state.ts'
import { formatRate } from '../../../ui/format.ts'
import { useModelActions } from '../use-model-actions.ts'

const tokensPerSecond = (perSecond: number) => `${formatRate(perSecond)} tokens/s`

const COLUMNS = { model: 'Model', reads: 'Reads', writes: 'Writes', on: 'On', when: 'When' } as const

/** Measured model speeds with their dates, and a button to measure again. */
export function Benchmarks({ engine }: { engine: EngineInfo }): ReactNode {
  const id = useId()
  return (
    <section aria-labelledby={id} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div>
        <h2 id={id} className="text-xs font-semibold text-ink-2">
          Speed
        </h2>
        <p className="text-xs text-ink-3">
          How fast a model reads and writes here. Measuring takes some seconds and loads the model.
        </p>
      </div>
      <Measure />
      {engine.benchmarks.length === 0 ? (
        <p className="text-sm text-ink-2">Nothing measured yet.</p>
      ) : (
        <Scrollable label="Speed" className="overflow-x-auto">
          <table className="speed-table">
            <thead>
              <tr>
                {(['model', 'reads', 'writes', 'on', 'when'] as const).map(column => (
                  <th key={column} scope="col">
                    {COLUMNS[column]}
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
                  <td>{tokensPerSecond(each.promptPerSecond)}</td>
                  <td>{tokensPerSecond(each.writePerSecond)}</td>
                  <td>
                    {each.backend}, {each.threads} threads
                  </td>
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
  const { benchmark } = useModelActions()
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
        label="Model to measure"
        showLabel
        className="min-w-0 flex-1 basis-56"
        value={model.id}
        options={local.map(each => ({
          value: each.id,
          label: each.demo ? 'Built-in demo model' : each.name,
        }))}
        onChange={setChosen}
      />
      <button
        type="button"
        className="btn btn-secondary"
        disabled={measures || isBusy}
        onClick={() => void measure()}
      >
        {measures && <Spinner />}
        {measures ? 'Measuring…' : 'Measure'}
      </button>
    </div>
  )
}
