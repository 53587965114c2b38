import { useState, type ReactNode } from 'react'
import { isBusy } from '../chat-state.ts'
import { useChat } from '../chats.ts'
import { compactionText } from './strings.ts'

/** Lets the person replace older messages by a summary before the model has to. */
export function CompactNow(): ReactNode {
  const compact = useChat(chat => chat.compact)
  const busy = useChat(chat => isBusy(chat) || chat.pending !== null)
  const [problem, setProblem] = useState('')
  const start = async () => {
    setProblem('')
    const begun = await compact('')
    if (!begun.ok) setProblem(begun.fault.message)
  }
  return (
    <div className="grid justify-items-start gap-1.5">
      <button type="button" disabled={busy} className="btn btn-secondary" onClick={() => void start()}>
        {compactionText.now}
      </button>
      <p className="text-xs text-ink-3">{busy ? compactionText.busy : compactionText.hint}</p>
      {problem !== '' && (
        <p role="alert" className="text-danger">
          {problem}
        </p>
      )}
    </div>
  )
}
