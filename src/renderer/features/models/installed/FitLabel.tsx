import type { ReactNode } from 'react'
import type { Fit, Gpu } from '../../../../shared/contract/model.ts'
import { cx } from '../../../ui/style.ts'
import { useModels } from '../models-context.ts'
import { toneOf } from '../models-state.ts'
import { formatBytes } from '../../../ui/format.ts'

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
