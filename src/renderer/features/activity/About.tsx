import type { ReactNode } from 'react'
import type { Evidence, ReviewCost } from '../../../shared/contract/learning.ts'
import { go } from '../../route.ts'
import { Cost } from './Cost.tsx'

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
      <ul aria-label="Where it comes from" className="grid gap-2">
        {evidence.map(({ messageId, quote }) => (
          <li key={`${messageId} ${quote}`} className="border-s-3 border-line-strong ps-3 text-sm">
            <blockquote dir="auto" className="break-words whitespace-pre-wrap text-ink-2">
              {quote}
            </blockquote>
            {sessionId !== null && (
              <button
                type="button"
                className="link-btn text-xs"
                aria-label={`Show in the chat: ${quote}`}
                onClick={() => go({ chatId: sessionId, messageId })}
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

type Props = { because?: string; why: string; cost: ReviewCost | null }

/** Why the review ran, its cost, and why it needs a decision. */
export function Reasons({ because = '', why, cost }: Props): ReactNode {
  const rows: (readonly [string, ReactNode])[] = [
    ...(because === '' ? [] : [['Why you are asked', because] as const]),
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
