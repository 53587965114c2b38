import type { ReactNode } from 'react'
import { Spinner } from '../../ui/Spinner.tsx'
import { useChat } from './chats.ts'
import { compactionText } from './compaction/strings.ts'
import { chatText } from './strings.ts'

/** What happens until the first token: loading, reading, or just work. A tool or a question speaks for itself. */
export function WorkingRow({ quiet }: { quiet: boolean }): ReactNode {
  const phase = useChat(chat => chat.live.progress?.phase)
  // Per cent, so that a share that moves by less draws nothing.
  const percent = useChat(chat => Math.round((chat.live.progress?.share ?? 0) * 100))
  const compacting = useChat(chat => chat.live.compacting)
  const writing = useChat(chat => chat.live.text !== '' || chat.live.reasoning !== '')
  if (!compacting && (writing || (quiet && !phase))) return null
  return (
    <div className="flex items-center gap-2 py-2 text-sm text-ink-3">
      <Spinner />
      <span>
        {compacting
          ? compactionText.working
          : phase
            ? chatText.progress[phase](percent / 100)
            : chatText.working}
      </span>
    </div>
  )
}
