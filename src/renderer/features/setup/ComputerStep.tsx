import { useEffect, useState, type ReactNode } from 'react'
import type { Machine } from '../../../shared/contract/model.ts'
import type { Outcome } from '../../rpc/attempt.ts'
import { Spinner } from '../../ui/Spinner.tsx'
import { setupText } from './strings.ts'

const text = setupText.computer

/** So long a person sees that something is being checked, in milliseconds; then they are told that it may last. */
const PATIENCE_MS = 2_000

type Props = {
  /** What was found; undefined while it is being looked for. */
  machine: Outcome<Machine> | undefined
  onRetry: () => void
}

/** What this computer can do, first in one sentence. Nobody has to wait for it. */
export function ComputerStep({ machine, onRetry }: Props): ReactNode {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <>
      <output className="text-lg font-medium empty:hidden">
        {machine?.ok && machine.value.words}
        {!machine && (
          <span className="flex items-center gap-2 text-base font-normal text-ink-2">
            {!isLate && <Spinner />}
            {isLate ? text.late : text.checking}
          </span>
        )}
      </output>
      {machine?.ok && <Facts machine={machine.value} />}
      {machine && !machine.ok && (
        <div className="grid justify-items-start gap-3 text-ink-2">
          <p>
            {text.unknown(machine.fault.message)} {text.unknownHint}
          </p>
          <button type="button" className="btn btn-secondary" onClick={onRetry}>
            {setupText.retry}
          </button>
        </div>
      )}
    </>
  )
}

function Facts({ machine }: { machine: Machine }) {
  const { cpu, cores, instructions, freeBytes, totalBytes, gpu, diskFreeBytes } = machine
  const rows = [
    [text.cpu, text.processor(cpu, cores, instructions)],
    [text.memory, text.free(freeBytes, totalBytes)],
    [text.gpu, gpu ? `${gpu.names.join(', ')}: ${text.free(gpu.freeBytes, gpu.totalBytes)}` : text.noGpu],
    [text.disk, diskFreeBytes > 0 ? text.diskFree(diskFreeBytes) : text.diskUnknown],
  ] as const
  return (
    <dl className="grid gap-x-5 text-sm rail:grid-cols-[auto_1fr] rail:gap-y-2">
      {rows.map(([name, what]) => (
        <div key={name} className="contents">
          <dt className="text-ink-3">{name}</dt>
          <dd className="mb-2 break-words rail:mb-0">{what}</dd>
        </div>
      ))}
    </dl>
  )
}
