import type { ReactNode } from 'react'
import type { MemoryEntry } from '../../../shared/contract/memory.ts'
import { go } from '../../route.ts'
import { useMemory } from './memory-context.ts'
import { useAsked } from '../../rpc/use-asked.ts'

const whoWroteIt = {
  you: 'You wrote it here.',
  agent: 'The agent wrote it down.',
  review: 'A review of a chat wrote it down.',
  file: 'Another program wrote it into the file.',
  import: 'It came with an import.',
}

/** The author of an entry, and the message it was learned from. */
export function Source({ entry }: { entry: MemoryEntry }): ReactNode {
  const { sessionId, messageId, origin } = entry
  return (
    <section className="grid gap-2">
      <h3 className="text-xs font-medium text-ink-3">Where it came from</h3>
      <p className="text-sm">{whoWroteIt[origin]}</p>
      {sessionId !== null && messageId !== null && <Quote sessionId={sessionId} messageId={messageId} />}
      {sessionId !== null && (
        <button
          type="button"
          className="btn btn-secondary justify-self-start"
          onClick={() => go({ chatId: sessionId, messageId })}
        >
          Open the chat at this place
        </button>
      )}
    </section>
  )
}

function Quote({ sessionId, messageId }: { sessionId: string; messageId: number }) {
  const message = useMemory(memory => memory.message)
  const answer = useAsked(signal => message(sessionId, messageId, signal), `${sessionId} ${messageId}`)
  if (!answer) return null
  if (!answer.ok) {
    const why =
      answer.fault.code === 'not_found' ? 'The chat it came from was removed.' : answer.fault.message
    return <p className="text-sm text-ink-3">{why}</p>
  }
  if (answer.value === null) return <p className="text-sm text-ink-3">The message no longer exists.</p>
  return (
    <blockquote
      aria-label="What was said"
      dir="auto"
      className="line-clamp-6 border-s-3 border-line-strong ps-3 text-sm break-words whitespace-pre-wrap text-ink-2"
    >
      {answer.value.text}
    </blockquote>
  )
}
