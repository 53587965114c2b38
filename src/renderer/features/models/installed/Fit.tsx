import { type ReactNode, useId } from 'react'
import type { Fit, Gpu } from '../../../../shared/contract/model.ts'
import { cx } from '../../../ui/style.ts'
import { formatBytes } from '../../../ui/format.ts'
import { useModels } from '../use-models.ts'
import { toneOf, barOf } from '../models-state.ts'

const fitText = (fit: Fit, hasGpu: boolean) =>
  ({
    gpu: 'Fits the graphics card',
    memory: hasGpu ? 'Runs in memory, slower' : 'Fits into memory',
    too_big: `Too big: ${formatBytes(fit.missingBytes)} missing`,
    unknown: 'Cannot tell whether it fits',
  })[fit.label]

type Props = { fit: Fit | null | undefined }

/** A short coloured label: whether the model fits on this computer. */
export function FitLabel({ fit }: Props): ReactNode {
  const gpu = useModels(models => models.machine?.gpu ?? null)
  return <FitBadge fit={fit} gpu={gpu} />
}

/** The badge alone. Without `gpu`, it is unknown whether a graphics card could do better. */
export function FitBadge({ fit, gpu = null }: Props & { gpu?: Gpu | null }): ReactNode {
  if (!fit) return null
  const rough = fit.uncertain !== '' && fit.label !== 'unknown'
  return (
    <span className={cx('fit-label', `fit-${toneOf(fit, gpu)}`)} title={rough ? fit.uncertain : undefined}>
      {rough && '≈ '}
      {fitText(fit, gpu !== null)}
    </span>
  )
}

const PARTS = {
  others: 'Other programs',
  weights: 'Model',
  context: 'Context',
  buffers: 'Working memory',
  free: 'Free',
} as const

type MemoryBarProps = {
  fit: Fit
  /** Whether the model is loaded. Loading it again frees its own memory first. */
  isHere?: boolean
}

/** Predicted memory use as a bar, with a text version below. */
export function MemoryBar({ fit, isHere = false }: MemoryBarProps): ReactNode {
  const id = useId()
  if (fit.label === 'unknown' && fit.neededBytes === 0) {
    return (
      <p className="text-sm text-ink-2">
        {fit.uncertain || 'It is unknown whether it fits. You can load it anyway.'}
      </p>
    )
  }
  const { stretches, wholeBytes, limitBytes } = barOf(fit)
  const percent = (bytes: number) => `${wholeBytes === 0 ? 0 : (bytes / wholeBytes) * 100}%`
  return (
    <section aria-labelledby={id} className="grid gap-2">
      <h2 id={id} className="text-xs font-semibold text-ink-2">
        {fit.label === 'gpu' ? 'Memory of the graphics card' : 'Memory'}
      </h2>
      <div aria-hidden="true" className="memory-bar">
        {stretches.map(({ part, bytes }) => (
          <span
            key={part}
            data-part={part}
            className={`memory-${part}`}
            style={{ inlineSize: percent(bytes) }}
          />
        ))}
        {wholeBytes > limitBytes && (
          <span className="memory-limit" style={{ insetInlineStart: percent(limitBytes) }} />
        )}
      </div>
      <dl className="flex flex-wrap gap-x-4 gap-y-1 text-xs">
        {stretches.map(({ part, bytes }) => (
          <div key={part} className="flex items-center gap-1.5">
            <dt className="flex items-center gap-1.5 text-ink-2">
              <span aria-hidden="true" className={`size-2.5 rounded-xs memory-${part}`} />
              {PARTS[part]}
            </dt>
            <dd className="text-ink-3 tabular-nums">{formatBytes(bytes)}</dd>
          </div>
        ))}
      </dl>
      <p className="text-xs text-ink-2">
        Needs {formatBytes(fit.neededBytes)} of {formatBytes(fit.availableBytes)} available.
        {fit.freedBytes > 0 &&
          !isHere &&
          ` ${formatBytes(fit.freedBytes)} from another model is freed first.`}
      </p>
      {fit.uncertain !== '' && <p className="text-xs text-warn">{fit.uncertain}</p>}
    </section>
  )
}
