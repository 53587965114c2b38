import { Brain, ChevronDown, Sparkles } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { cx } from '../../ui/cx.ts'
import { useActivity } from './activity-context.ts'

type Props = {
  id: string
  headline: string
  kind: 'memory' | 'skill'
  /** Whether it waits for an answer; then it is open unless it was closed. */
  waits?: boolean
  badge: { text: string; tone: 'plain' | 'good' | 'muted' } | null
  /** One line below the headline. */
  meta: ReactNode
  /** Stands before the headline. */
  start?: ReactNode
  /** Stands after it. */
  end?: ReactNode
  /** What is seen only when it is open. */
  detail: ReactNode
  /** What is always seen, below. */
  children?: ReactNode
}

/** Something that was learned or might be: a headline that opens the rest. */
export function Card(props: Props): ReactNode {
  const { id, headline, kind, waits = false, badge, meta, start, end, detail, children } = props
  const isTurned = useActivity(activity => activity.turned.has(id))
  const turn = useActivity(activity => activity.turn)
  const detailId = useId()
  const isOpen = waits !== isTurned
  const Sign = kind === 'memory' ? Brain : Sparkles
  return (
    <li data-card-box="" className={cx('card', waits && 'card-waits')}>
      <div className="flex items-start gap-2.5">
        {start}
        <Sign size={16} className="mt-0.75 shrink-0 text-ink-3" />
        <div className="min-w-0 flex-1">
          <h3>
            <button
              type="button"
              data-card={id}
              data-waits={waits}
              aria-expanded={isOpen}
              aria-controls={isOpen ? detailId : undefined}
              className="card-headline"
              onClick={() => turn(id)}
            >
              <bdi className={cx('min-w-0 break-words', badge?.tone === 'muted' && 'line-through')}>
                {headline}
              </bdi>
              <ChevronDown
                size={15}
                className={cx('mt-0.5 shrink-0 text-ink-3 transition-transform', isOpen && 'rotate-180')}
              />
            </button>
          </h3>
          <div className="card-meta">
            {badge && <span className={cx('badge', badge.tone === 'good' && 'text-good')}>{badge.text}</span>}
            {meta}
          </div>
        </div>
        {end}
      </div>
      {isOpen && (
        <div id={detailId} className="mt-2.5 grid grid-cols-[minmax(0,1fr)] gap-3">
          {detail}
        </div>
      )}
      {children}
    </li>
  )
}
