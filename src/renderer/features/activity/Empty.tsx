import { History } from 'lucide-react'
import type { ReactNode } from 'react'
import { useActivity } from './activity-context.ts'
import { activityText } from './strings.ts'

const text = activityText.empty

/** Says what will appear here, and when. */
export function Empty(): ReactNode {
  const mode = useActivity(activity => activity.view?.settings.mode ?? 'ask')
  const setTab = useActivity(activity => activity.setTab)
  return (
    <div className="mx-auto grid max-w-md justify-items-center gap-2 py-10 text-center">
      <History size={28} className="text-ink-3" />
      <h2 className="text-lg font-semibold">{text.title}</h2>
      <p className="text-sm text-ink-2">{text.says}</p>
      <p className="text-sm text-ink-2">{text.mode[mode]}</p>
      <button type="button" className="btn btn-secondary mt-2" onClick={() => setTab('controls')}>
        {text.settings}
      </button>
    </div>
  )
}
