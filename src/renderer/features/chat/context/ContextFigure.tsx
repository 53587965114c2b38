import { PanelRight } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Usage } from '../../../../shared/contract/chats/messages.ts'
import { formatCount, formatDuration, formatRate, formatShare } from '../../../ui/text/format-values.ts'
import { Popover } from '../../../ui/Popover.tsx'
import { cx } from '../../../ui/style.ts'
import { lastUsage } from '../store/chat-state.ts'
import { useChat } from '../store/open-chats.ts'

/** Minimum share at which the figure is shown beside the ring, and at which it is shown as a warning. */
const WORTH_SAYING = 0.5
const NEARLY_FULL = 0.85

/** The number of tokens in the context window after an answer, as its model counted them. */
export const tokensUsed = ({ promptTokens, outputTokens }: Usage): number => promptTokens + outputTokens

/** How full the context window was after an answer, from 0; null if the window's size is unknown. */
export const contextShare = (usage: Usage): number | null =>
  usage.contextTokens > 0 ? tokensUsed(usage) / usage.contextTokens : null

/**
 * The usage of the newest answer, from which all percentages are computed. Null before the first answer, and
 * after a compaction until the next answer.
 */
export function useContextUse(): Usage | null {
  const usage = useChat(lastUsage)
  const isOver = useChat(
    ({ compactions, messages }) => (compactions.at(-1)?.at ?? 0) > (messages.at(-1)?.at ?? 0),
  )
  return usage === null || isOver || contextShare(usage) === null ? null : usage
}

/** How full the context is, at the message field. A click shows the figures of the last answer. */
export function ContextFigure({ onPanel }: { onPanel: () => void }): ReactNode {
  const usage = useContextUse()
  const share = usage && contextShare(usage)
  if (!usage || share === null) return null
  const words = formatShare(share)
  return (
    <Popover
      label="Last answer"
      side="above"
      align="end"
      className="w-max max-w-[calc(100vw-1rem)] p-3"
      renderButton={props => (
        <button
          type="button"
          aria-label={`Context ${words} used. Show figures of the last answer`}
          title={`Context ${words} used`}
          className={cx(
            'btn btn-quiet shrink-0 self-center px-2 tabular-nums',
            share >= NEARLY_FULL && 'text-warn',
          )}
          {...props}
        >
          <Ring share={share} />
          {share >= WORTH_SAYING && <span className="text-xs font-normal">{words}</span>}
        </button>
      )}
    >
      {close => (
        <div className="grid gap-3">
          <Figures usage={usage} words={words} />
          <button
            type="button"
            className="btn btn-secondary justify-self-start"
            onClick={() => {
              close()
              onPanel()
            }}
          >
            <PanelRight size={16} className="shrink-0" />
            What the model sees
          </button>
        </div>
      )}
    </Popover>
  )
}

function Figures({ usage, words }: { usage: Usage; words: string }) {
  const rows: readonly (readonly [string, string])[] = [
    [
      'Context used',
      `${words}: ${formatCount(tokensUsed(usage))} of ${formatCount(usage.contextTokens)} tokens`,
    ],
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
    <div>
      <h2 className="mb-2 text-sm font-semibold">Last answer</h2>
      <dl className="grid grid-cols-[auto_auto] gap-x-5 gap-y-1 text-xs tabular-nums">
        {rows.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-ink-3">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

/** The share as an arc of a circle that starts at the top. */
function Ring({ share }: { share: number }) {
  const around = 2 * Math.PI * 6
  return (
    <svg aria-hidden="true" width={16} height={16} viewBox="0 0 16 16" fill="none" className="shrink-0">
      <circle cx={8} cy={8} r={6} stroke="currentColor" strokeWidth={2.5} opacity={0.25} />
      <circle
        cx={8}
        cy={8}
        r={6}
        stroke="currentColor"
        strokeWidth={2.5}
        strokeDasharray={`${Math.min(1, share) * around} ${around}`}
        transform="rotate(-90 8 8)"
      />
    </svg>
  )
}
