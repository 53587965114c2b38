import { Clock } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Review } from '../../../shared/contract/learning.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Spinner } from '../../ui/Spinner.tsx'
import { useActivity } from './activity-context.ts'
import { nameOf } from './ReviewLine.tsx'
import { activityText } from './strings.ts'
import { useActions } from './use-actions.ts'

const text = activityText.reviews

/** Reviews that run or wait, why they wait, and the way to do without them. */
export function ReviewsUnderWay(): ReactNode {
  const reviews = useActivity(activity => activity.view?.reviews) ?? []
  const held = useActivity(activity => activity.view?.held)
  if (reviews.length === 0) return null
  return (
    <section aria-label={text.label} className="mb-4 rounded-xl border border-line bg-side p-2">
      <ul aria-label={text.label}>
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
  const { cancel } = useActions()
  const { state, trigger, attempts } = review
  const name = nameOf(review)
  return (
    <li className="flex items-start gap-2 px-2 py-1 text-sm">
      <span className="mt-1 text-ink-3">
        {state === 'running' ? <Spinner size={13} /> : <Clock size={13} />}
      </span>
      <div className="min-w-0 flex-1">
        <p className="break-words">{state === 'running' ? text.running(name) : text.queued(name)}</p>
        <p className="text-xs text-ink-3">
          {text.reasons[trigger]}
          {state === 'queued' && attempts > 0 && ` ${text.tries(attempts)}`}
        </p>
      </div>
      <IconButton small label={text.cancel(name)} onClick={() => void cancel(review.id)}>
        <Icon name="close" size={14} />
      </IconButton>
    </li>
  )
}
