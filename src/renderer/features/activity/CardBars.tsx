import { useId, type ReactNode } from 'react'
import { countOf, formatCount } from '../../ui/text/format-values.ts'
import { Icon, IconButton } from '../../ui/IconButton.tsx'
import { cx } from '../../ui/style.ts'
import type { Filter } from './activity-state.ts'
import { Confirm } from '../../ui/Dialog.tsx'
import { useActivity, useActivityActions, useView } from './use-activity.ts'
import { byCount } from '../../../shared/text/amounts.ts'

const filterNames = {
  all: 'Everything',
  memory: 'Memory',
  skills: 'Skills',
  undone: 'Undone',
  quiet: 'Quiet reviews',
}

const kinds = Object.keys(filterNames) as Filter[]

/** The filter of the cards. `hidden` counts waiting cards that the filter hides. */
export function ActivityFilterBar({ hidden }: { hidden: number }): ReactNode {
  const filter = useActivity(activity => activity.filter)
  const setFilter = useActivity(activity => activity.setFilter)
  const name = useId()
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      {/* Radio buttons give arrow-key movement and a position for screen readers. */}
      <fieldset>
        <legend className="sr-only">Filter</legend>
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
              {filterNames[each]}
            </label>
          ))}
        </div>
      </fieldset>
      {hidden > 0 && (
        <p className="flex flex-wrap gap-x-2 text-xs text-ink-2">
          <span>{countOf(hidden, 'card waits for you.', 'cards wait for you.')}</span>
          <button type="button" className="link-btn" onClick={() => setFilter('all')}>
            Show waiting cards
          </button>
        </p>
      )}
    </div>
  )
}

/** The question before one or more cards are rejected. */
export const rejectQuestion = (count: number) =>
  byCount(
    count,
    'Reject it? You cannot undo this, but a later review may propose it again.',
    `Reject ${formatCount(count)} cards? You cannot undo this, but a later review may propose them again.`,
  )

/** Actions on all selected cards. */
export function ActivityBulkBar(): ReactNode {
  const selected = useActivity(activity => activity.selected)
  const waiting = useView()?.waiting ?? []
  const select = useActivity(activity => activity.select)
  const { keep, reject } = useActivityActions()
  const chosen = waiting.filter(({ id }) => selected.has(id))
  if (chosen.length === 0) return null
  const ids = chosen.map(({ id }) => id)
  return (
    <div role="toolbar" aria-label="Selected cards" className="bulk-bar">
      <output className="px-2 text-sm font-medium">{`${ids.length} selected`}</output>
      <button type="button" className="btn btn-quiet" onClick={() => void keep(chosen)}>
        Keep
      </button>
      <Confirm danger label="Reject" question={rejectQuestion(ids.length)} onYes={() => void reject(ids)} />
      <IconButton small label="Clear the selection" onClick={() => select(ids, false)}>
        <Icon name="close" size={14} />
      </IconButton>
    </div>
  )
}
