import type { ReactNode } from 'react'
import { tellSource } from '../../../shared/words/agent-names.ts'
import type { Evidence, LearnedFrom, ReviewCost } from '../../../shared/contract/learned/learning.ts'
import { goTo } from '../../route.ts'
import { useHost } from '../../rpc/host-context.tsx'
import { formatCount, formatDuration } from '../../ui/text/format-values.ts'
import { When } from '../../ui/text/InlineText.tsx'
import { TextDiff, WordDiff } from '../../ui/text/TextDiff.tsx'
import { showHidden } from '../../../shared/visible-text/show-hidden.ts'

/** Why a review ran, for its cards. */
export const triggerReasons = {
  memory_nudge: 'Nothing had been saved for a while, so Talaria reviewed this chat.',
  skill_nudge: 'Talaria had done some work here, so it looked for a reusable procedure.',
  compaction: 'A summary was about to replace older messages, so Talaria reviewed them first.',
  session_end: 'The chat ended, so Talaria reviewed it.',
  you: 'You asked for a review.',
  events: 'This comes from another agent, not from a chat here.',
  text: 'This comes from a text that you named. Someone else may have written it.',
  chat: 'The agent wanted to save this in a chat with full access.',
}

/** The quoted evidence for a change, with links to the messages. */
export function EvidenceList({
  evidence,
  sessionId,
}: {
  evidence: readonly Evidence[]
  sessionId: string | null
}) {
  if (evidence.length === 0) return null
  return (
    <section className="grid gap-1.5">
      <h4 className="detail-title">Where it comes from</h4>
      {evidence.some(({ nearest }) => nearest) && (
        <p className="text-xs text-ink-2">
          None of your sentences says this in these words. The closest one is:
        </p>
      )}
      <ul aria-label="Where it comes from" className="grid gap-2">
        {evidence.map(({ messageId, quote }) => (
          <li key={`${messageId} ${quote}`} className="border-s-3 border-line-strong ps-3 text-sm">
            <blockquote dir="auto" className="break-words whitespace-pre-wrap text-ink-2">
              {showHidden(quote)}
            </blockquote>
            {sessionId !== null && (
              <button
                type="button"
                className="link-btn text-xs"
                aria-label={`Show in the chat: ${quote}`}
                onClick={() => goTo({ chatId: sessionId, messageId })}
              >
                Show in the chat
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

type ReasonsProps = { why: string; cost: ReviewCost | null; from?: LearnedFrom | undefined }

/** The source in another program, the reason for the review, and its cost. */
export function Reasons({ why, cost, from }: ReasonsProps): ReactNode {
  const rows: (readonly [string, ReactNode])[] = [
    ...(from ? [['Said in', <Source key="source" from={from} />] as const] : []),
    ['Why now', why],
    ...(cost === null ? [] : [['Cost', <Cost key="cost" cost={cost} />] as const]),
  ]
  return (
    <dl className="grid gap-x-4 gap-y-1 text-sm rail:grid-cols-[auto_1fr]">
      {rows.map(([name, value]) => (
        <div key={name} className="rail:contents">
          <dt className="text-xs leading-5 text-ink-3">{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const Source = ({ from }: { from: LearnedFrom }): ReactNode => (
  <>
    <bdi>{showHidden(tellSource(from))}</bdi>, <When at={from.at} />
  </>
)

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
      {[formatDuration(ms), `${tokens} tokens`, name].filter(Boolean).join(', ')}
    </span>
  )
}

type DiffProps = { kind: 'memory' | 'skill'; place: string; before: string | null; after: string | null }

/** A diff: by word for memory entries, by line for skill files. */
export function Diff({ kind, place, before, after }: DiffProps): ReactNode {
  if (kind === 'memory')
    return (
      <p className="diff-block">
        <WordDiff before={before} after={after} />
      </p>
    )
  const label = before === null ? `Text of ${place}` : `Change to ${place}`
  return <TextDiff label={label} before={before ?? ''} after={after ?? ''} />
}
