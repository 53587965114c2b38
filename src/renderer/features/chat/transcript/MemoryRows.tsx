import { Bookmark, BookmarkPlus, BookmarkX } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'
import type { MemoryRevision } from '../../../../shared/contract/learned/memory.ts'
import { goTo } from '../../../route.ts'
import { Segmented } from '../../../ui/fields/Choice.tsx'
import { cx } from '../../../ui/style.ts'
import { showToast } from '../../../ui/Toasts.tsx'
import { useTyped } from '../../../ui/fields/typed-texts.ts'
import type { Claim } from '../store/chat-state.ts'
import { useChat } from '../store/open-chats.ts'
import { ToolCard } from '../calls/ToolCard.tsx'
import { isFoundIn } from '../find/chat-find.ts'
import type { TranscriptRow } from './transcript-rows.ts'
import { learnedText, learnedVerb } from './changes-by-turn.ts'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'

type LearnedItem = Extract<TranscriptRow, { kind: 'learned' }>

const wholeChange = ({ before, after }: MemoryRevision) =>
  before !== null && after !== null && before !== after ? `${before} → ${after}` : (after ?? before ?? '')

/**
 * The memory changes of a turn: one chip per change, with Undo and a link to the entry. A call is shown while
 * it contains a search match.
 */
export function LearnedRow({ revisions, cards }: Pick<LearnedItem, 'revisions' | 'cards'>): ReactNode {
  const foundId = useChat(chat => cards.find(card => isFoundIn(chat, card.result?.id))?.result?.id)
  const found = cards.find(card => card.result !== undefined && card.result.id === foundId)
  return (
    <>
      <ul aria-label="Changed in memory" className="flex flex-wrap gap-1.5 py-1.5">
        {revisions.map(revision => (
          <Chip key={revision.id} revision={revision} />
        ))}
      </ul>
      {found && <ToolCard card={found} />}
    </>
  )
}

function Chip({ revision }: { revision: MemoryRevision }) {
  const undoLearned = useChat(chat => chat.undoLearned)
  const [busy, setBusy] = useState(false)
  const { undoneBy } = revision
  const undone = undoneBy !== null
  const text = showHidden(learnedText(revision))
  const change = async () => {
    setBusy(true)
    const changed = await undoLearned(undoneBy ?? revision.id)
    setBusy(false)
    if (!changed.ok) showToast(changed.fault.message, { level: 'error' })
  }
  const Sign = undone || revision.op === 'remove' ? BookmarkX : Bookmark
  return (
    <li className="chip">
      <Sign size={14} className="shrink-0 text-ink-3" />
      <span
        dir="auto"
        title={showHidden(wholeChange(revision))}
        className={cx('truncate', undone && 'text-ink-3')}
      >
        {undone ? 'Undone' : learnedVerb(revision.op)}
        {': '}
        <span className={cx(undone && 'line-through')}>{text}</span>
      </span>
      <button
        type="button"
        disabled={busy}
        aria-label={undone ? `Redo: ${text}` : `Undo: ${text}`}
        className="chip-btn"
        onClick={() => void change()}
      >
        {undone ? 'Redo' : 'Undo'}
      </button>
      <button
        type="button"
        aria-label={`View in memory: ${text}`}
        className="chip-btn"
        onClick={() => goTo({ page: 'memory', entryId: revision.entryId })}
      >
        View
      </button>
    </li>
  )
}

const targets = [
  { value: 'user', label: 'About you' },
  { value: 'memory', label: 'Notes' },
] as const

/** Maximum length of an entry. The host reports the exact limit. */
const MAX_LENGTH = 20_000

/** Shown below an answer that claims to have saved or forgotten what it did not. */
export function ClaimCard({ claim }: { claim: Claim }): ReactNode {
  return claim.isForgetting ? <StillThereCard claim={claim} /> : <UnsavedCard claim={claim} />
}

/** Nothing was forgotten: offers to look at the memory. */
function StillThereCard({ claim }: { claim: Claim }): ReactNode {
  const dismissClaim = useChat(chat => chat.dismissClaim)
  const heading = useId()
  return (
    <section aria-labelledby={heading} className="claim-card">
      <ClaimHeading
        id={heading}
        title="The answer claims it forgot something, but nothing was forgotten."
        quote={claim.quote}
      />
      <div className="flex flex-wrap items-center justify-end gap-2">
        <button type="button" className="btn btn-quiet" onClick={() => dismissClaim(claim.messageId)}>
          Dismiss
        </button>
        <button type="button" className="btn btn-secondary" onClick={() => goTo({ page: 'memory' })}>
          Look at memory
        </button>
      </div>
    </section>
  )
}

function ClaimHeading({ id, title, quote }: { id: string; title: string; quote: string }): ReactNode {
  return (
    <div className="flex items-start gap-2.5">
      <BookmarkPlus size={16} className="mt-0.5 shrink-0 text-ink-3" />
      <div className="min-w-0">
        <h2 id={id} className="font-medium">
          {title}
        </h2>
        <blockquote dir="auto" className="mt-0.5 line-clamp-3 break-words text-ink-3">
          {`“${showHidden(quote)}”`}
        </blockquote>
      </div>
    </div>
  )
}

/** Says that nothing was saved although the model claimed it, and offers to save it now. */
function UnsavedCard({ claim }: { claim: Claim }): ReactNode {
  const saveClaim = useChat(chat => chat.saveClaim)
  const dismissClaim = useChat(chat => chat.dismissClaim)
  const [text, setText] = useTyped(`claim/${claim.messageId}`, claim.text)
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
    if (!saved.ok) return setProblem(saved.fault.message)
    setText(claim.text)
    if (!saved.value.saved) showToast('This is already in memory.')
  }

  return (
    <section aria-labelledby={heading} className="claim-card">
      <ClaimHeading
        id={heading}
        title="The answer claims it saved something, but nothing was saved."
        quote={claim.quote}
      />
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
        <button
          type="button"
          className="btn btn-quiet"
          onClick={() => {
            setText(claim.text)
            dismissClaim(claim.messageId)
          }}
        >
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
