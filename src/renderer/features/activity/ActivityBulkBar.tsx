import type { ReactNode } from 'react'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { useActivity } from './activity-context.ts'
import { Confirm } from './Confirm.tsx'
import { activityText } from './strings.ts'
import { useActions } from './use-actions.ts'

const text = activityText.bulk

/** What can be done with all selected cards at once. */
export function BulkBar(): ReactNode {
  const selected = useActivity(activity => activity.selected)
  const waiting = useActivity(activity => activity.view?.waiting) ?? []
  const select = useActivity(activity => activity.select)
  const { keep, reject } = useActions()
  const chosen = waiting.filter(({ id }) => selected.has(id))
  if (chosen.length === 0) return null
  const ids = chosen.map(({ id }) => id)
  return (
    <div role="toolbar" aria-label={text.bar} className="bulk-bar">
      <output className="px-2 text-sm font-medium">{text.selected(ids.length)}</output>
      <button type="button" className="btn btn-quiet" onClick={() => void keep(chosen)}>
        {text.keep}
      </button>
      <Confirm
        danger
        label={text.reject}
        question={text.rejectQuestion(ids.length)}
        onYes={() => void reject(ids)}
      />
      <IconButton small label={text.clear} onClick={() => select(ids, false)}>
        <Icon name="close" size={14} />
      </IconButton>
    </div>
  )
}
