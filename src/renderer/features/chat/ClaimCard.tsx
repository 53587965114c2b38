import { BookmarkPlus } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'
import { Segmented } from '../../ui/Choice.tsx'
import { showToast } from '../../ui/toasts.ts'
import { useChat } from './chats.ts'
import type { Claim } from './chat-state.ts'

const targets = [
  { value: 'user', label: 'About you' },
  { value: 'memory', label: 'Notes' },
] as const

/** Maximum length of an entry. The host reports the exact limit. */
const MAX_LENGTH = 20_000

/** Shown below an answer that claims a save that never happened. The user can save it now. */
export function ClaimCard({ claim }: { claim: Claim }): ReactNode {
  const saveClaim = useChat(chat => chat.saveClaim)
  const dismissClaim = useChat(chat => chat.dismissClaim)
  const [text, setText] = useState(claim.text)
  const [target, setTarget] = useState(claim.target)
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const heading = useId()
  const about = useId()

  const save = async () => {
    setBusy(true)
    setProblem('')
    const saved = await saveClaim(claim, { text: text.trim(), target })
    setBusy(false)
    if (!saved.ok) setProblem(saved.fault.message)
    else if (!saved.value.saved) showToast('This is already in memory.')
  }

  return (
    <section aria-labelledby={heading} className="claim-card">
      <div className="flex items-start gap-2.5">
        <BookmarkPlus size={16} className="mt-0.5 shrink-0 text-ink-3" />
        <div className="min-w-0">
          <h2 id={heading} className="font-medium">
            The answer claims it saved something, but nothing was saved.
          </h2>
          <blockquote dir="auto" className="mt-0.5 line-clamp-3 break-words text-ink-3">
            {`“${claim.quote}”`}
          </blockquote>
        </div>
      </div>
      <textarea
        rows={1}
        dir="auto"
        value={text}
        maxLength={MAX_LENGTH}
        aria-label="What to save"
        aria-invalid={problem !== ''}
        aria-describedby={problem === '' ? undefined : about}
        className="field field-sizing-content max-h-40 resize-none"
        onChange={event => setText(event.target.value)}
      />
      {problem !== '' && (
        <p id={about} role="alert" className="text-danger">
          {problem}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <div className="me-auto whitespace-nowrap">
          <Segmented label="Where to save it" options={targets} value={target} onChange={setTarget} />
        </div>
        <button type="button" className="btn btn-quiet" onClick={() => dismissClaim(claim.messageId)}>
          Dismiss
        </button>
        <button
          type="button"
          disabled={busy || text.trim() === ''}
          className="btn btn-secondary"
          onClick={() => void save()}
        >
          Save it now
        </button>
      </div>
    </section>
  )
}
