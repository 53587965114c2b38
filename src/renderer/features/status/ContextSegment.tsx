import type { ReactNode } from 'react'
import type { Usage } from '../../../shared/contract/messages.ts'
import { Popover } from '../../ui/Popover.tsx'
import { formatCount, formatRate, formatDuration, formatShare } from '../../ui/format.ts'

/** How full the context window is. A click shows the cost of the last answer. */
export function ContextSegment({ usage }: { usage: Usage }): ReactNode {
  const used = usage.promptTokens + usage.outputTokens
  const share = used / usage.contextTokens
  const rows: readonly (readonly [string, string])[] = [
    ['Context used', `${formatCount(used)} of ${formatCount(usage.contextTokens)} tokens`],
    ['Speed', `${formatRate(usage.tokensPerSecond)} tokens a second`],
    ['First token after', formatDuration(usage.firstTokenMs)],
    ['Written', `${formatCount(usage.outputTokens)} tokens`],
    [
      'Read',
      usage.reusedTokens > 0
        ? `${formatCount(usage.evaluatedTokens)} tokens new, ${formatCount(usage.reusedTokens)} reused`
        : `${formatCount(usage.evaluatedTokens)} tokens`,
    ],
  ]
  return (
    <Popover
      label="Last answer"
      side="above"
      className="w-max max-w-[calc(100vw-1rem)] p-3"
      renderButton={props => (
        <button
          type="button"
          aria-label={`Context ${formatShare(share)} used. Show figures of the last answer`}
          className="status-item tabular-nums"
          {...props}
        >
          {`Context ${formatShare(share)}`}
        </button>
      )}
    >
      {() => (
        <>
          <h2 className="mb-2 text-sm font-semibold">Last answer</h2>
          <dl className="grid grid-cols-[auto_auto] gap-x-5 gap-y-1 text-xs tabular-nums">
            {rows.map(([name, value]) => (
              <div key={name} className="contents">
                <dt className="text-ink-3">{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </Popover>
  )
}
