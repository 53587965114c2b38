import { useId, type ReactNode } from 'react'
import { cx } from '../../ui/cx.ts'
import { keyText } from '../../ui/keys.ts'
import type { Filter } from './activity-state.ts'
import { useActivity } from './activity-context.ts'
import { activityText } from './strings.ts'

const text = activityText.filter
const kinds = Object.keys(text.kinds) as Filter[]

/** Which cards are shown. `hidden` counts those that wait and are not. */
export function FilterBar({ hidden }: { hidden: number }): ReactNode {
  const filter = useActivity(activity => activity.filter)
  const setFilter = useActivity(activity => activity.setFilter)
  const name = useId()
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      {/* Radio buttons underneath, so arrows move and screen readers count. */}
      <fieldset>
        <legend className="sr-only">{text.label}</legend>
        <div className="flex flex-wrap gap-1">
          {kinds.map(each => (
            <label key={each} className={cx('filter kind-filter', each === filter && 'filter-on')}>
              <input
                type="radio"
                name={name}
                className="sr-only"
                checked={each === filter}
                onChange={() => setFilter(each)}
              />
              {text.kinds[each]}
            </label>
          ))}
        </div>
      </fieldset>
      <p className="keys-hint">{activityText.keys('↑ ↓', keyText('enter'))}</p>
      {hidden > 0 && (
        <p className="flex flex-wrap gap-x-2 text-xs text-ink-2">
          <span>{text.waiting(hidden)}</span>
          <button type="button" className="link-btn" onClick={() => setFilter('all')}>
            {text.showWaiting}
          </button>
        </p>
      )}
    </div>
  )
}
