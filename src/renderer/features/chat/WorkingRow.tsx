import type { ReactNode } from 'react'
import { Spinner } from '../../ui/Progress.tsx'
import { useChat } from './chats.ts'
import { formatShare } from '../../ui/format.ts'

const progressTexts = {
  loading: (share: number) => `Loading the model… ${formatShare(share)}`,
  reading: (share: number) => `Reading your message… ${formatShare(share)}`,
}

/** The phase before the first token: loading, reading or working. Tools and approvals have their own rows. */
export function WorkingRow({ quiet }: { quiet: boolean }): ReactNode {
  const phase = useChat(chat => chat.live.progress?.phase)
  // Whole per cent, so that smaller changes cause no redraw.
  const percent = useChat(chat => Math.round((chat.live.progress?.share ?? 0) * 100))
  const compacting = useChat(chat => chat.live.compacting)
  const writing = useChat(chat => chat.live.text !== '' || chat.live.reasoning !== '')
  if (!compacting && (writing || (quiet && !phase))) return null
  return (
    <div className="flex items-center gap-2 py-2 text-sm text-ink-3">
      <Spinner />
      <span>
        {compacting
          ? 'Summarising earlier messages…'
          : phase
            ? progressTexts[phase](percent / 100)
            : 'Working…'}
      </span>
    </div>
  )
}
