import { History } from 'lucide-react'
import type { ReactNode } from 'react'
import { useActivity } from './activity-context.ts'

const modeHints = {
  ask: 'Nothing is saved until you keep it.',
  save: 'It is saved at once, and you can undo anything here.',
  off: 'Learning is off, so Talaria reviews no chat unless you ask.',
}

/** The empty state: explains what will appear here. */
export function Empty(): ReactNode {
  const mode = useActivity(activity => activity.view?.settings.mode ?? 'ask')
  const setTab = useActivity(activity => activity.setTab)
  return (
    <div className="mx-auto grid max-w-md justify-items-center gap-2 py-10 text-center">
      <History size={28} className="text-ink-3" />
      <h2 className="text-lg font-semibold">Nothing learned yet</h2>
      <p className="text-sm text-ink-2">
        Every few turns, and when a chat ends, Talaria reviews it in the background. What it finds worth
        keeping appears here as a card: what it is, the words it comes from, why, and what it cost.
      </p>
      <p className="text-sm text-ink-2">{modeHints[mode]}</p>
      <button type="button" className="btn btn-secondary mt-2" onClick={() => setTab('controls')}>
        How it learns
      </button>
    </div>
  )
}
