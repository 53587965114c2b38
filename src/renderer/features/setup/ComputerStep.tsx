import { useEffect, useState, type ReactNode } from 'react'
import type { Machine } from '../../../shared/contract/model.ts'
import type { Outcome } from '../../rpc/attempt.ts'
import { Spinner } from '../../ui/Progress.tsx'
import { formatBytes, formatCount } from '../../ui/format.ts'

const freeOf = (free: number, total: number) => `${formatBytes(free)} free of ${formatBytes(total)}`

/** Time before the text says that the check may take longer, in ms. */
const PATIENCE_MS = 2_000

type Props = {
  /** The result of the check; undefined while it runs. */
  machine: Outcome<Machine> | undefined
  onRetry: () => void
}

/** Sums up what this computer can run. The user can continue before the check ends. */
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
            {isLate ? 'This takes longer than usual. You can go on.' : 'Checking…'}
          </span>
        )}
      </output>
      {machine?.ok && <Facts machine={machine.value} />}
      {machine && !machine.ok && (
        <div className="grid justify-items-start gap-3 text-ink-2">
          <p>
            This computer could not be checked: {machine.fault.message} You can go on. Talaria checks again
            before it loads a model.
          </p>
          <button type="button" className="btn btn-secondary" onClick={onRetry}>
            Try again
          </button>
        </div>
      )}
    </>
  )
}

function Facts({ machine }: { machine: Machine }) {
  const { cpu, cores, instructions, freeBytes, totalBytes, gpu, diskFreeBytes } = machine
  const rows = [
    [
      'Processor',
      [cpu, `${formatCount(cores)} ${cores === 1 ? 'core' : 'cores'}`, ...instructions]
        .filter(Boolean)
        .join(', '),
    ],
    ['Memory', freeOf(freeBytes, totalBytes)],
    [
      'Graphics card',
      gpu
        ? `${gpu.names.join(', ')}: ${freeOf(gpu.freeBytes, gpu.totalBytes)}`
        : 'None that models can use. They run on the processor.',
    ],
    ['Disk', diskFreeBytes > 0 ? `${formatBytes(diskFreeBytes)} free for models` : 'Free space unknown'],
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
