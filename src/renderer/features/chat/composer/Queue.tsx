import { Clock, Paperclip, Pencil, X } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'
import { showUnseen } from '../../../../shared/visible-text/show-unseen.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { isKey } from '../../../ui/keyboard/keys.ts'
import { isSummarising } from '../store/chat-state.ts'
import { useChat } from '../store/open-chats.ts'
import type { Queued } from '../store/chat-outbox.ts'

/** Messages queued during an answer. They can be edited or removed until they are sent. */
export function Queue(): ReactNode {
  const queue = useChat(chat => chat.queue)
  const paused = useChat(chat => chat.queuePaused)
  const resume = useChat(chat => chat.resumeQueue)
  const summarising = useChat(isSummarising)
  if (queue.length === 0) return null
  return (
    <section aria-label="Queued messages" className="mb-2 rounded-xl border border-line bg-sunken p-2">
      <div className="flex items-center gap-2 px-1 pb-1 text-xs text-ink-2">
        <Clock size={14} className="shrink-0" />
        <span className="min-w-0 flex-1">
          {paused
            ? 'Paused because the last answer did not finish'
            : !summarising && queue.some(({ isOffered }) => isOffered)
              ? 'The model gets it before its next step, or when this answer is done at the latest'
              : summarising
                ? 'Will be sent when this summary is done'
                : 'Will be sent when this answer is done'}
        </span>
        {paused && (
          <button type="button" className="btn btn-quiet min-h-6 text-xs text-accent" onClick={resume}>
            Send now
          </button>
        )}
      </div>
      <ol className="grid max-h-40 gap-1 overflow-y-auto">
        {queue.map(queued => (
          <Row key={queued.key} queued={queued} />
        ))}
      </ol>
    </section>
  )
}

function Row({ queued }: { queued: Queued }) {
  const startEditing = useChat(chat => chat.startEditing)
  const remove = useChat(chat => chat.removeQueued)
  if (queued.isEdited) return <Editor queued={queued} />
  return (
    <li className="flex items-start gap-1 rounded-lg bg-canvas py-1 ps-3 pe-1">
      <span dir="auto" className="line-clamp-2 min-w-0 flex-1 py-0.5 text-sm break-words whitespace-pre-wrap">
        {showUnseen(queued.text)}
        {queued.files && (
          <span className="flex items-center gap-1 text-xs text-ink-3">
            <Paperclip size={12} className="shrink-0" />
            <span className="sr-only">With</span>
            <span className="truncate">{queued.files.map(({ name }) => showHidden(name)).join(', ')}</span>
          </span>
        )}
      </span>
      <IconButton small label="Edit" onClick={() => startEditing(queued.key)}>
        <Pencil size={14} />
      </IconButton>
      <IconButton small label="Remove" onClick={() => remove(queued.key)}>
        <X size={14} />
      </IconButton>
    </li>
  )
}

function Editor({ queued }: { queued: Queued }) {
  const edit = useChat(chat => chat.editQueued)
  const [text, setText] = useState(queued.text)
  const save = () => {
    if (text.trim() !== '') edit(queued.key, text.trim())
  }
  const cancel = () => edit(queued.key, queued.text)
  return (
    <li className="grid gap-1 rounded-lg bg-canvas p-1">
      <textarea
        rows={2}
        dir="auto"
        // The user has just asked to edit it.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        value={text}
        aria-label="Queued message"
        className="field resize-none"
        onChange={event => setText(event.target.value)}
        onKeyDown={event => {
          const done = isKey(event, 'enter') ? save : isKey(event, 'escape') ? cancel : undefined
          if (!done) return
          event.preventDefault()
          done()
        }}
      />
      <div className="flex gap-1">
        <button type="button" className="btn btn-secondary" disabled={text.trim() === ''} onClick={save}>
          Save
        </button>
        <button type="button" className="btn btn-quiet" onClick={cancel}>
          Cancel
        </button>
      </div>
    </li>
  )
}
