import type { ReactNode } from 'react'
import type { Usage } from '../../../shared/contract/messages.ts'
import { Popover } from '../../ui/Popover.tsx'
import { statusText } from './strings.ts'

/** How much of what the model can see at once is used; a click shows what the last answer cost. */
export function ContextSegment({ usage }: { usage: Usage }): ReactNode {
  const used = usage.promptTokens + usage.outputTokens
  const share = used / usage.contextTokens
  const text = statusText.usage
  const rows: readonly (readonly [string, string])[] = [
    [text.context, text.contextOf(used, usage.contextTokens)],
    [text.speed, text.speedValue(usage.tokensPerSecond)],
    [text.first, text.firstValue(usage.firstTokenMs)],
    [text.output, text.tokens(usage.outputTokens)],
    [text.prompt, text.promptValue(usage.evaluatedTokens, usage.reusedTokens)],
  ]
  return (
    <Popover
      label={statusText.usageTitle}
      side="above"
      className="w-max max-w-[calc(100vw-1rem)] p-3"
      renderButton={props => (
        <button
          type="button"
          aria-label={statusText.contextLabel(share)}
          className="status-item tabular-nums"
          {...props}
        >
          {statusText.context(share)}
        </button>
      )}
    >
      {() => (
        <>
          <h2 className="mb-2 text-sm font-semibold">{statusText.usageTitle}</h2>
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
