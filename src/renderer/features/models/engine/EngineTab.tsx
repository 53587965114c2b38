import { Copy, Settings } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import type { EngineInfo, Machine } from '../../../../shared/contract/model.ts'
import { useHost } from '../../../rpc/host-context.tsx'
import { copyText } from '../../../ui/CopyButton.tsx'
import { isKey } from '../../../ui/keys.ts'
import { TextField } from '../../../ui/TextField.tsx'
import { showToast } from '../../../ui/toasts.ts'
import { Facts } from '../Facts.tsx'
import { useModels } from '../models-context.ts'
import { pageText } from '../page-strings.ts'
import { useActions } from '../use-actions.ts'
import { Benchmarks } from './Benchmarks.tsx'

const text = pageText.engine

/** What the models run on, how fast, and when they give their memory back. */
export function EngineTab({ onSettings }: { onSettings: (() => void) | undefined }): ReactNode {
  useEngine()
  const machine = useModels(models => models.machine)
  const engine = useModels(models => models.engine)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-7">
      {machine && (
        <div className="grid gap-2">
          <p className="text-sm font-medium">{machine.words}</p>
          <Facts title={text.computer} facts={machineFacts(machine)} />
        </div>
      )}
      {engine && (
        <>
          <Facts title={text.heading} facts={engineFacts(engine)} />
          <div className="flex flex-wrap gap-2">
            <button type="button" className="btn btn-secondary" onClick={() => void copy(engine.diagnostics)}>
              <Copy size={15} />
              {text.copy}
            </button>
            {onSettings && (
              <button type="button" className="btn btn-quiet" onClick={onSettings}>
                <Settings size={15} />
                {text.settings}
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

/** What the engine runs on is known once it has started, and is another thing after each start. */
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
    [text.processor, text.cores(cpu, cores, instructions)],
    [text.memory, text.freeOf(freeBytes, totalBytes)],
    [text.gpu, gpu ? `${gpu.names.join(', ')} · ${text.freeOf(gpu.freeBytes, gpu.totalBytes)}` : text.noGpu],
    [text.disk, text.inFolder(diskFreeBytes, modelsFolder)],
  ] as const
}

function engineFacts({ library, backend, devices, installed, threads }: EngineInfo) {
  const others = installed.filter(each => each !== backend)
  return [
    [text.library, library],
    [text.backend, text.backends[backend]],
    [text.devices, devices.join(', ')],
    [text.installed, others.map(each => text.backends[each]).join(', ')],
    [text.threads, threads === null ? text.autoThreads : String(threads)],
  ] as const
}

async function copy(diagnostics: string) {
  const copied = await copyText(diagnostics)
  showToast(copied ? text.copied : text.copyFailed, { level: copied ? 'info' : 'error' })
}

/** Counts when the field is left or Enter is pressed; Esc takes back what was typed. */
function IdleMinutes({ minutes }: { minutes: number }) {
  const { setIdleMinutes } = useActions()
  const [typed, setTyped] = useState<string | null>(null)
  const value = Number((typed ?? '').trim().replace(',', '.') || Number.NaN)
  const isRight = value >= 0 && value <= 10_080
  const save = () => {
    if (typed === null || !isRight) return
    if (value !== minutes) void setIdleMinutes(value)
    setTyped(null)
  }
  return (
    <div className="max-w-72">
      <TextField
        label={text.idle}
        hint={text.idleHint}
        error={typed === null || isRight ? undefined : text.badMinutes}
        inputMode="decimal"
        value={typed ?? String(minutes)}
        onChange={event => setTyped(event.target.value)}
        onBlur={save}
        onKeyDown={event => {
          if (isKey(event, 'enter')) save()
          else if (isKey(event, 'escape')) setTyped(null)
        }}
      />
    </div>
  )
}
