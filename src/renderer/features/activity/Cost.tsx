import type { ReactNode } from 'react'
import type { ReviewCost } from '../../../shared/contract/learning.ts'
import { useHost } from '../../rpc/host-context.tsx'
import { activityText } from './strings.ts'

const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 })

/** What a review took: time, tokens that were read anew or written, and whose. The parts of it are its hint. */
export function Cost({ cost }: { cost: ReviewCost }): ReactNode {
  const { ms, promptTokens, reusedTokens, outputTokens, model } = cost
  const kind = useHost(host => host.models.find(({ id, name }) => name === model || id === model)?.kind)
  const tokens = compact.format(promptTokens - reusedTokens + outputTokens)
  const name =
    kind === undefined || model === ''
      ? model
      : activityText.models[kind === 'server' ? 'server' : 'local'](model)
  return (
    <span title={activityText.costWhole(promptTokens, reusedTokens, outputTokens)}>
      {activityText.costOf(ms, tokens, name)}
    </span>
  )
}
