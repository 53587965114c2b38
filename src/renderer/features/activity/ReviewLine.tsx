import { CircleSlash, ScanEye, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Review } from '../../../shared/contract/learning.ts'
import { go } from '../../route.ts'
import { cx } from '../../ui/cx.ts'
import { When } from '../../ui/When.tsx'
import { Cost } from './Cost.tsx'
import { activityText } from './strings.ts'
import { useActions } from './use-actions.ts'

const text = activityText.reviews

/** How the conversation of a review is called. */
export const nameOf = ({ sessionId, title }: Review): string =>
  title !== '' ? text.chat(title) : sessionId === null ? text.another : text.aChat

/** A review that came to nothing, or to an end of another kind: one quiet line. */
export function ReviewLine({ review }: { review: Review }): ReactNode {
  const { id, state, outcome, sessionId, upToId, endedAt, queuedAt, cost } = review
  const { review: ask } = useActions()
  const name = nameOf(review)
  const isFailed = state === 'failed'
  const Sign = isFailed ? TriangleAlert : state === 'dropped' ? CircleSlash : ScanEye
  const say = isFailed ? text.failed : state === 'dropped' ? text.dropped : text.done
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
              {activityText.openChat}
            </button>
          )}
          {isFailed && sessionId !== null && (
            <button type="button" className="link-btn" onClick={() => void ask(sessionId)}>
              {text.again}
            </button>
          )}
        </p>
      </div>
    </li>
  )
}
