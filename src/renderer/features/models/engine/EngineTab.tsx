import { Copy, Settings } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import type { EngineInfo, Machine } from '../../../../shared/contract/model.ts'
import { useHost } from '../../../rpc/host-context.tsx'
import { copyText } from '../../../ui/IconButton.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import { showToast } from '../../../ui/toasts.ts'
import { Facts } from '../Facts.tsx'
import { useModels } from '../models-context.ts'
import { formatBytes } from '../../../ui/format.ts'
import { useModelActions } from '../use-model-actions.ts'
import { Benchmarks } from './Benchmarks.tsx'

const BACKENDS = {
  cpu: 'the processor',
  cuda: 'the graphics card (CUDA)',
  vulkan: 'the graphics card (Vulkan)',
  metal: 'the graphics card (Metal)',
} as const

const freeOf = (free: number, total: number) => `${formatBytes(free)} free of ${formatBytes(total)}`

/** The hardware that models run on, their speed, and when they are unloaded. */
export function EngineTab({ onSettings }: { onSettings: (() => void) | undefined }): ReactNode {
  useEngine()
  const machine = useModels(models => models.machine)
  const engine = useModels(models => models.engine)
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
              <Copy size={15} />
              Copy diagnostics
            </button>
            {onSettings && (
              <button type="button" className="btn btn-quiet" onClick={onSettings}>
                <Settings size={15} />
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

/** Engine facts are known after it starts and may differ after each start. */
function useEngine() {
  const load = useModels(models => models.loadEngine)
  const phase = useHost(host => host.engine.phase)
  useEffect(() => {
    if (phase !== 'starting' && phase !== 'loading') void load()
  }, [load, phase])
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
    ['Also made for', others.map(each => BACKENDS[each]).join(', ')],
    ['Threads', threads === null ? 'chosen to suit this computer' : String(threads)],
  ] as const
}

async function copy(diagnostics: string) {
  const copied = await copyText(diagnostics)
  showToast(
    copied ? 'The diagnostics are on the clipboard.' : 'This browser does not let Talaria use the clipboard.',
    { level: copied ? 'info' : 'error' },
  )
}

function IdleMinutes({ minutes }: { minutes: number }) {
  const { setIdleMinutes } = useModelActions()
  return (
    <div className="max-w-72">
      <NumberField
        label="Unload when idle, after minutes"
        hint="0 never unloads it."
        value={minutes}
        range={[0, 10_080]}
        whole={false}
        onChange={value => void setIdleMinutes(value)}
      />
    </div>
  )
}
