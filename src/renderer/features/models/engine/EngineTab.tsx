import { Copy, Settings } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import type { EngineInfo, Machine } from '../../../../shared/contract/models/model.ts'
import { useHost } from '../../../rpc/host-context.tsx'
import { useAnswer, useLastValue } from '../../../rpc/use-answer.ts'
import { copyText } from '../../../ui/IconButton.tsx'
import { NumberField } from '../../../ui/fields/NumberField.tsx'
import { showToast } from '../../../ui/Toasts.tsx'
import { formatBytes, formatRate } from '../../../ui/text/format-values.ts'
import { Scrollable } from '../../../ui/Scrollable.tsx'
import { Select } from '../../../ui/fields/Choice.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import { When } from '../../../ui/text/InlineText.tsx'
import { Facts } from '../installed/ModelDetail.tsx'
import { useModelsPage, useModelActions } from '../use-models.ts'
import { isLocal } from '../models-state.ts'

const BACKENDS = {
  cpu: 'the processor',
  cuda: 'the graphics card (CUDA)',
  vulkan: 'the graphics card (Vulkan)',
  metal: 'the graphics card (Metal)',
} as const

const freeOf = (free: number, total: number) => `${formatBytes(free)} free of ${formatBytes(total)}`

/** The hardware that models run on, their speed, and when they are unloaded. */
export function EngineTab({ onSettings }: { onSettings: (() => void) | undefined }): ReactNode {
  const { machine } = useModelsPage()
  const read = useAnswer('engine.info', {})
  const engine = useLastValue(read?.ok ? read.value : undefined)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-7">
      {machine && (
        <div className="grid gap-2">
          <p className="text-sm font-medium">{machine.words}</p>
          <Facts title="This computer" facts={machineFacts(machine)} />
        </div>
      )}
      {engine && (
        <>
          <Facts title="Engine" facts={engineFacts(engine)} />
          <div className="flex flex-wrap gap-2">
            <button type="button" className="btn btn-secondary" onClick={() => void copy(engine.diagnostics)}>
              <Copy size={16} />
              Copy diagnostics
            </button>
            {onSettings && (
              <button type="button" className="btn btn-quiet" onClick={onSettings}>
                <Settings size={16} />
                All settings of the engine…
              </button>
            )}
          </div>
          <IdleMinutes minutes={engine.idleUnloadMinutes} />
          <Benchmarks engine={engine} />
        </>
      )}
    </div>
  )
}

function machineFacts(machine: Machine) {
  const { cpu, cores, instructions, freeBytes, totalBytes, gpu, diskFreeBytes, modelsFolder } = machine
  return [
    ['Processor', [cpu, `${cores} cores`, ...instructions].filter(Boolean).join(' · ')],
    ['Memory', freeOf(freeBytes, totalBytes)],
    [
      'Graphics card',
      gpu ? `${gpu.names.join(', ')} · ${freeOf(gpu.freeBytes, gpu.totalBytes)}` : 'None the engine can use',
    ],
    ['Space for models', `${formatBytes(diskFreeBytes)} free in ${modelsFolder}`],
  ] as const
}

function engineFacts({ library, backend, devices, installed, threads }: EngineInfo) {
  const others = installed.filter(each => each !== backend)
  return [
    ['Version', library],
    ['Runs on', BACKENDS[backend]],
    ['Devices', devices.join(', ')],
    ['Also built for', others.map(each => BACKENDS[each]).join(', ')],
    ['Threads', threads === null ? 'chosen to suit this computer' : String(threads)],
  ] as const
}

async function copy(diagnostics: string) {
  if (await copyText(diagnostics)) showToast('The diagnostics are on the clipboard.')
}

function IdleMinutes({ minutes }: { minutes: number }) {
  const { setIdleMinutes } = useModelActions()
  return (
    <div className="max-w-72">
      <NumberField
        label="Minutes of idle time before a model is unloaded"
        hint="0 keeps it loaded."
        value={minutes}
        range={[0, 10_080]}
        whole={false}
        onChange={value => void setIdleMinutes(value)}
      />
    </div>
  )
}

const tokensPerSecond = (perSecond: number) => `${formatRate(perSecond)} tokens/s`

const COLUMNS = { model: 'Model', reads: 'Reads', writes: 'Writes', on: 'On', when: 'When' } as const

/** Measured model speeds with their dates, and a button to measure again. */
function Benchmarks({ engine }: { engine: EngineInfo }): ReactNode {
  const id = useId()
  return (
    <section aria-labelledby={id} className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div>
        <h2 id={id} className="text-xs font-semibold text-ink-2">
          Speed
        </h2>
        <p className="text-xs text-ink-3">
          How fast a model reads and writes here. Measuring takes a few seconds and loads the model.
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
                  <td>{`${each.backend}, ${each.threads} threads`}</td>
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
