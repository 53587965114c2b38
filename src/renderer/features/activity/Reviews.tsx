import { CircleSlash, Clock, ScanEye, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Review } from '../../../shared/contract/learned/learning.ts'
import { goTo } from '../../route.ts'
import { formatCount } from '../../ui/text/format-values.ts'
import { Icon, IconButton } from '../../ui/IconButton.tsx'
import { When } from '../../ui/text/InlineText.tsx'
import { Spinner } from '../../ui/Progress.tsx'
import { cx } from '../../ui/style.ts'
import { Cost } from './ActivityCardDetail.tsx'
import { useActivityActions, useView } from './use-activity.ts'
import { byCount } from '../../../shared/text/amounts.ts'

const failedText = (title: string, why: string) => `The review of ${title} failed: ${why}`
const droppedText = (title: string, why: string) => `The review of ${title} did not run. ${why}`
const doneText = (title: string, outcome: string) => `Reviewed ${title}: ${outcome}`

/** The title of the reviewed chat. */
const nameOf = ({ sessionId, title }: Review): string =>
  title !== '' ? `“${title}”` : sessionId === null ? 'another agent’s work' : 'a chat'

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
              onClick={() => goTo({ chatId: sessionId, messageId: upToId })}
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

const reviewReasons = {
  memory_nudge: 'Several turns had passed without anything being saved.',
  skill_nudge: 'Talaria has done some work here.',
  compaction: 'Older messages were replaced by a summary.',
  session_end: 'The chat ended.',
  you: 'You asked for it.',
  events: 'This comes from the record of another agent.',
  text: 'This comes from a text that you named.',
}

/** Running and queued reviews, why they wait, and buttons to cancel them. */
export function ReviewsUnderWay(): ReactNode {
  const { reviews = [], held } = useView() ?? {}
  if (reviews.length === 0) return null
  return (
    <section aria-label="Reviews under way" className="mb-4 rounded-xl border border-line bg-side p-2">
      <ul aria-label="Reviews under way">
        {reviews.map(review => (
          <Row key={review.id} review={review} />
        ))}
      </ul>
      {held && reviews.some(({ state }) => state === 'queued') && (
        <p className="px-2 pt-1 text-xs text-ink-2">{held}</p>
      )}
    </section>
  )
}

function Row({ review }: { review: Review }) {
  const { cancel } = useActivityActions()
  const { state, trigger, attempts } = review
  const name = nameOf(review)
  return (
    <li className="flex items-start gap-2 px-2 py-1 text-sm">
      <span className="mt-1 text-ink-3">
        {state === 'running' ? <Spinner size={14} /> : <Clock size={14} />}
      </span>
      <div className="min-w-0 flex-1">
        <p className="break-words">{state === 'running' ? `Reviewing ${name}` : `Will review ${name}`}</p>
        <p className="text-xs text-ink-3">
          {reviewReasons[trigger]}
          {state === 'queued' &&
            attempts > 0 &&
            byCount(attempts, ' One attempt so far.', ` ${formatCount(attempts)} attempts so far.`)}
        </p>
      </div>
      <IconButton small label={`Cancel the review of ${name}`} onClick={() => void cancel(review.id)}>
        <Icon name="close" size={14} />
      </IconButton>
    </li>
  )
}
