import type { ReactNode } from 'react'
import type { Usage } from '../../../shared/contract/messages.ts'
import { formatRate, formatDuration, formatCount, formatShare } from '../../ui/format.ts'

/** The cost of one model call, on one line. */
export function Figures({ usage }: { usage: Usage }): ReactNode {
  const parts = [
    `${formatRate(usage.tokensPerSecond)} tok/s`,
    `first token ${formatDuration(usage.firstTokenMs)}`,
    `${formatCount(usage.outputTokens)} tokens`,
    ...(usage.reusedTokens > 0 ? [`${formatCount(usage.reusedTokens)} reused`] : []),
    ...(usage.contextTokens > 0
      ? [`context ${formatShare((usage.promptTokens + usage.outputTokens) / usage.contextTokens)}`]
      : []),
  ]
  return <p className="text-xs text-ink-3 tabular-nums">{parts.join(' · ')}</p>
}
