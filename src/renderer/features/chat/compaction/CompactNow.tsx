import { useState, type ReactNode } from 'react'
import { isBusy } from '../chat-state.ts'
import { useChat } from '../chats.ts'
import { waitForAnswer } from './chat-compaction.ts'

/** Lets the user replace older messages by a summary before the context window is full. */
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
        Compact now
      </button>
      <p className="text-xs text-ink-3">
        {busy
          ? waitForAnswer
          : 'Replaces older messages with a summary for the model. You still see everything here.'}
      </p>
      {problem !== '' && (
        <p role="alert" className="text-danger">
          {problem}
        </p>
      )}
    </div>
  )
}
