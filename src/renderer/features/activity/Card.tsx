import { Brain, ChevronDown, Sparkles } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { cx } from '../../ui/style.ts'
import { useActivity } from './activity-context.ts'

type Props = {
  id: string
  headline: string
  kind: 'memory' | 'skill'
  /** Whether the card waits for a decision. Such cards are open by default. */
  waits?: boolean
  badge: { text: string; tone: 'plain' | 'good' | 'muted' } | null
  /** A line below the headline. */
  meta: ReactNode
  /** Rendered before the headline. */
  start?: ReactNode
  /** Rendered after the headline. */
  end?: ReactNode
  /** Shown only when the card is open. */
  detail: ReactNode
  /** Always shown, below the rest. */
  children?: ReactNode
}

/** A change or proposal as a card: a headline that expands to the details. */
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
