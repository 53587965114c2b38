import type { ReactNode } from 'react'
import type { LearningWeek } from '../../../shared/contract/learned/learning.ts'
import { cx } from '../../ui/style.ts'
import { formatCount, formatDay, countOf } from '../../ui/text/format-values.ts'
import { showToast } from '../../ui/Toasts.tsx'
import { keyOf } from './activity-state.ts'
import { useActivity, useSearch } from './use-activity.ts'
import { focusCard } from './card-focus.ts'
import { useAnswer } from '../../rpc/use-answer.ts'
import { Problem } from '../../ui/Banner.tsx'

const partNames = { kept: 'kept', rejected: 'rejected', undone: 'undone' }

/** The items learned per week. Choosing a week shows its cards. */
export function TimelineTab(): ReactNode {
  const answer = useAnswer('learning.weeks', { limit: 104 })
  if (!answer) return null
  if (!answer.ok) return <Problem text={`The weeks could not be read: ${answer.fault.message}`} />
  const { weeks } = answer.value
  if (weeks.length === 0)
    return <p className="text-sm text-ink-3">Nothing learned yet. Weeks appear here once something is.</p>
  const most = Math.max(...weeks.map(cardsOf))
  return (
    <ol aria-label="Weeks" className="grid gap-0.5">
      {weeks.map(week => (
        <Week key={week.from} week={week} most={most} />
      ))}
    </ol>
  )
}

const cardsOf = ({ kept, rejected, undone }: LearningWeek) => kept + rejected + undone

const bars = { kept: 'bg-good', rejected: 'bg-ink-3', undone: 'bg-danger' } as const
const parts = Object.keys(bars) as (keyof typeof bars)[]

function Week({ week, most }: { week: LearningWeek; most: number }) {
  const { reach } = useSearch()
  const setTab = useActivity(activity => activity.setTab)
  const show = async () => {
    const item = await reach(week.from)
    if (!item) return showToast('Nothing from this week is left to show.')
    setTab('cards')
    requestAnimationFrame(() => focusCard(keyOf(item)))
  }
  const shown = parts.filter(part => week[part] > 0)
  return (
    <li>
      <button type="button" className="week" onClick={() => void show()}>
        <span className="font-medium">{`Week of ${formatDay(week.from)}`}</span>
        <span className="flex flex-wrap gap-x-3 text-xs text-ink-2">
          {shown.map(part => (
            <span key={part} className="week-part">
              <span aria-hidden="true" className={cx('size-2 rounded-full', bars[part])} />
              {`${formatCount(week[part])} ${partNames[part]}`}
            </span>
          ))}
          {week.reviews > 0 && <span>{countOf(week.reviews, 'review', 'reviews')}</span>}
        </span>
        <span aria-hidden="true" className="week-bar">
          {shown.map(part => (
            <span
              key={part}
              className={bars[part]}
              style={{ width: `${(100 * week[part]) / Math.max(1, most)}%` }}
            />
          ))}
        </span>
      </button>
    </li>
  )
}
