import { CircleSlash, ScanEye, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Review } from '../../../shared/contract/learning.ts'
import { go } from '../../route.ts'
import { When } from '../../ui/InlineText.tsx'
import { cx } from '../../ui/style.ts'
import { Cost } from './Cost.tsx'
import { useActivityActions } from './use-activity-actions.ts'

const failedText = (title: string, why: string) => `The review of ${title} failed: ${why}`
const droppedText = (title: string, why: string) => `The review of ${title} did not run. ${why}`
const doneText = (title: string, outcome: string) => `Reviewed ${title}: ${outcome}`

/** The title of the reviewed chat. */
export const nameOf = ({ sessionId, title }: Review): string =>
  title !== '' ? `“${title}”` : sessionId === null ? 'what another agent did' : 'a chat'

/** A review without changes, or one that failed or was cancelled, as a single line. */
export function ReviewLine({ review }: { review: Review }): ReactNode {
  const { id, state, outcome, sessionId, upToId, endedAt, queuedAt, cost } = review
  const { review: ask } = useActivityActions()
  const name = nameOf(review)
  const isFailed = state === 'failed'
  const Sign = isFailed ? TriangleAlert : state === 'dropped' ? CircleSlash : ScanEye
  const say = isFailed ? failedText : state === 'dropped' ? droppedText : doneText
  return (
    <li data-card-box="" className="quiet-line">
      <Sign size={14} className={cx('mt-0.5 shrink-0', isFailed ? 'text-warn' : 'text-ink-3')} />
      <div className="min-w-0 flex-1">
        <p
          tabIndex={-1}
          data-card={id}
          dir="auto"
          className={cx('rounded-sm break-words', isFailed && 'text-ink')}
        >
          {say(name, outcome)}
        </p>
        <p className="flex flex-wrap gap-x-2 text-xs">
          <When at={endedAt ?? queuedAt} />
          {cost && <Cost cost={cost} />}
          {sessionId !== null && (
            <button
              type="button"
              className="link-btn"
              onClick={() => go({ chatId: sessionId, messageId: upToId })}
            >
              Open the chat
            </button>
          )}
          {isFailed && sessionId !== null && (
            <button type="button" className="link-btn" onClick={() => void ask(sessionId)}>
              Review again
            </button>
          )}
        </p>
      </div>
    </li>
  )
}
