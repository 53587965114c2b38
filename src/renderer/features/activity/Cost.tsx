import type { ReactNode } from 'react'
import type { ReviewCost } from '../../../shared/contract/learning.ts'
import { useHost } from '../../rpc/host-context.tsx'
import { formatCount, formatDuration } from '../../ui/format.ts'

const modelNames = {
  local: (name: string) => `local model ${name}`,
  server: (name: string) => `${name} on a server`,
}

const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 })

/** The cost of a review: time, uncached plus generated tokens, and the model. A tooltip has the details. */
export function Cost({ cost }: { cost: ReviewCost }): ReactNode {
  const { ms, promptTokens, reusedTokens, outputTokens, model } = cost
  const kind = useHost(host => host.models.find(({ id, name }) => name === model || id === model)?.kind)
  const tokens = compact.format(promptTokens - reusedTokens + outputTokens)
  const name =
    kind === undefined || model === '' ? model : modelNames[kind === 'server' ? 'server' : 'local'](model)
  return (
    <span
      title={`${formatCount(promptTokens)} tokens read, ${formatCount(reusedTokens)} of them reused, ${formatCount(outputTokens)} written`}
    >
      {`${formatDuration(ms)}, ${tokens} tokens${name === '' ? '' : `, ${name}`}`}
    </span>
  )
}
