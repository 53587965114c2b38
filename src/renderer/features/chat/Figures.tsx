import type { ReactNode } from 'react'
import type { Usage } from '../../../shared/contract/messages.ts'
import { chatText } from './strings.ts'

/** What one model call cost, in a line. */
export function Figures({ usage }: { usage: Usage }): ReactNode {
  const { speed, first, tokens, reused, context } = chatText.figures
  const parts = [
    speed(usage.tokensPerSecond),
    first(usage.firstTokenMs),
    tokens(usage.outputTokens),
    ...(usage.reusedTokens > 0 ? [reused(usage.reusedTokens)] : []),
    ...(usage.contextTokens > 0
      ? [context((usage.promptTokens + usage.outputTokens) / usage.contextTokens)]
      : []),
  ]
  return <p className="text-xs text-ink-3 tabular-nums">{parts.join(' · ')}</p>
}
