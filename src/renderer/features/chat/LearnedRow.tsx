import { Bookmark, BookmarkX } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { MemoryRevision } from '../../../shared/contract/memory.ts'
import { go } from '../../route.ts'
import { cx } from '../../ui/cx.ts'
import { showToast } from '../../ui/toasts.ts'
import { useChat } from './chats.ts'
import { learnedText } from './learned.ts'
import { chatText } from './strings.ts'

/** What a turn changed in memory: a small chip for each change, with the way back and the way there. */
export function LearnedRow({ revisions }: { revisions: readonly MemoryRevision[] }): ReactNode {
  return (
    <ul aria-label={chatText.learned.label} className="flex flex-wrap gap-1.5 py-1.5">
      {revisions.map(revision => (
        <Chip key={revision.id} revision={revision} />
      ))}
    </ul>
  )
}

function Chip({ revision }: { revision: MemoryRevision }) {
  const undoLearned = useChat(chat => chat.undoLearned)
  const [busy, setBusy] = useState(false)
  const { learned } = chatText
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
      <span dir="auto" title={learned.whole(revision)} className={cx('truncate', undone && 'text-ink-3')}>
        {undone ? learned.undone : learned.did(revision.op)}
        {learned.colon}
        <span className={cx(undone && 'line-through')}>{text}</span>
      </span>
      <button
        type="button"
        disabled={busy}
        aria-label={undone ? learned.redoNamed(text) : learned.undoNamed(text)}
        className="chip-btn"
        onClick={() => void change()}
      >
        {undone ? learned.redo : learned.undo}
      </button>
      <button
        type="button"
        aria-label={learned.viewNamed(text)}
        className="chip-btn"
        onClick={() => go({ page: 'memory', entryId: revision.entryId })}
      >
        {learned.view}
      </button>
    </li>
  )
}
