import type { ReactNode } from 'react'
import type { Fit, Gpu } from '../../../../shared/contract/model.ts'
import { cx } from '../../../ui/cx.ts'
import { useModels } from '../models-context.ts'
import { toneOf } from '../models-state.ts'
import { pageText } from '../page-strings.ts'

type Props = { fit: Fit | null | undefined }

/** Whether a model fits into this computer, in a few words and a colour. */
export function FitLabel({ fit }: Props): ReactNode {
  const gpu = useModels(models => models.machine?.gpu ?? null)
  return <FitBadge fit={fit} gpu={gpu} />
}

/** The same where nobody knows whether a graphics card could do better. */
export function FitBadge({ fit, gpu = null }: Props & { gpu?: Gpu | null }): ReactNode {
  if (!fit) return null
  const rough = fit.uncertain !== '' && fit.label !== 'unknown'
  return (
    <span className={cx('fit-label', `fit-${toneOf(fit, gpu)}`)} title={rough ? fit.uncertain : undefined}>
      {rough && '≈ '}
      {pageText.fit.label(fit, gpu !== null)}
    </span>
  )
}
