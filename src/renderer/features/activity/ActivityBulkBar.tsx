import type { ReactNode } from 'react'
import { Icon, IconButton } from '../../ui/IconButton.tsx'
import { useActivity } from './activity-context.ts'
import { Confirm } from './Confirm.tsx'
import { useActivityActions } from './use-activity-actions.ts'
import { rejectQuestion } from './card-texts.ts'

/** Actions on all selected cards. */
export function ActivityBulkBar(): ReactNode {
  const selected = useActivity(activity => activity.selected)
  const waiting = useActivity(activity => activity.view?.waiting) ?? []
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
