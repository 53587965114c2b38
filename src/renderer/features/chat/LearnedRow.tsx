import { Bookmark, BookmarkX } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { MemoryRevision } from '../../../shared/contract/memory.ts'
import { go } from '../../route.ts'
import { cx } from '../../ui/style.ts'
import { showToast } from '../../ui/toasts.ts'
import { useChat } from './chats.ts'
import { learnedText, learnedVerb } from './learned.ts'

const wholeChange = ({ before, after }: MemoryRevision) =>
  before !== null && after !== null && before !== after ? `${before} → ${after}` : (after ?? before ?? '')

/** The memory changes of a turn: one chip per change, with Undo and a link to the entry. */
export function LearnedRow({ revisions }: { revisions: readonly MemoryRevision[] }): ReactNode {
  return (
    <ul aria-label="Changed in memory" className="flex flex-wrap gap-1.5 py-1.5">
      {revisions.map(revision => (
        <Chip key={revision.id} revision={revision} />
      ))}
    </ul>
  )
}

function Chip({ revision }: { revision: MemoryRevision }) {
  const undoLearned = useChat(chat => chat.undoLearned)
  const [busy, setBusy] = useState(false)
  const { undoneBy } = revision
  const undone = undoneBy !== null
  const text = learnedText(revision)
  const change = async () => {
    setBusy(true)
    const changed = await undoLearned(undoneBy ?? revision.id)
    setBusy(false)
    if (!changed.ok) showToast(changed.fault.message, { level: 'error' })
  }
  const Sign = undone || revision.op === 'remove' ? BookmarkX : Bookmark
  return (
    <li className="chip">
      <Sign size={13} className="shrink-0 text-ink-3" />
      <span dir="auto" title={wholeChange(revision)} className={cx('truncate', undone && 'text-ink-3')}>
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
        onClick={() => go({ page: 'memory', entryId: revision.entryId })}
      >
        View
      </button>
    </li>
  )
}
