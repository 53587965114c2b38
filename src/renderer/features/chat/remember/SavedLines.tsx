import { Bookmark, BookmarkX } from 'lucide-react'
import { useState, type ReactNode, type RefObject } from 'react'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'
import { goTo } from '../../../route.ts'
import { oneLine } from '../../../ui/text/format-values.ts'
import { Icon, IconButton } from '../../../ui/IconButton.tsx'
import { cx } from '../../../ui/style.ts'
import { showToast } from '../../../ui/Toasts.tsx'
import { useActions } from '../../../use-actions.ts'
import { useChat } from '../store/open-chats.ts'
import type { SavedLine } from './chat-remember.ts'

/** Maximum length of a text in its line, in characters. The Memory page shows the whole text. */
const LONGEST = 100

/** What the user just saved with `/remember` or `/note`, with Undo. */
export function SavedLines(): ReactNode {
  const lines = useChat(chat => chat.savedLines)
  if (lines.length === 0) return null
  return (
    <ul
      aria-label="Saved by you"
      className="mb-2 grid gap-1 rounded-xl border border-line bg-sunken px-3 py-1.5 text-sm text-ink-2"
    >
      {lines.map(line => (
        <Line key={line.key} line={line} />
      ))}
    </ul>
  )
}

function Line({ line }: { line: SavedLine }) {
  const { key, entryId, text, place, effect, undoing } = line
  const undoSaved = useChat(chat => chat.undoSaved)
  const dismiss = useChat(chat => chat.dismissSaved)
  const [busy, setBusy] = useState(false)
  const isUndone = undoing !== null
  const short = oneLine(showHidden(text), LONGEST)
  const change = async () => {
    setBusy(true)
    const changed = await undoSaved(key)
    setBusy(false)
    if (!changed.ok) showToast(changed.fault.message, { level: 'error' })
  }
  const Sign = isUndone ? BookmarkX : Bookmark
  return (
    <li className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
      <Sign size={14} className="shrink-0 text-ink-3" />
      <output className="min-w-0 flex-1 basis-48 break-words" title={showHidden(text)}>
        {isUndone ? 'Undone: ' : `Saved in ${showHidden(place)}: `}
        <span dir="auto" className={cx(isUndone ? 'text-ink-3 line-through' : 'text-ink')}>
          {short}
        </span>
        {!isUndone && effect !== '' && <span className="text-xs text-ink-3">{` · ${effect}`}</span>}
      </output>
      <span className="ms-auto flex items-center gap-1">
        <button
          type="button"
          disabled={busy}
          aria-label={`${isUndone ? 'Redo' : 'Undo'}: ${short}`}
          className="btn btn-quiet min-h-6 text-xs text-accent"
          onClick={() => void change()}
        >
          {isUndone ? 'Redo' : 'Undo'}
        </button>
        <button
          type="button"
          aria-label={`View in memory: ${short}`}
          className="btn btn-quiet min-h-6 text-xs"
          onClick={() => goTo({ page: 'memory', entryId: isUndone ? null : entryId })}
        >
          View
        </button>
        <IconButton small label={`Close: ${short}`} onClick={() => dismiss(key)}>
          <Icon name="close" size={14} />
        </IconButton>
      </span>
    </li>
  )
}

/** Memory commands for the palette: each puts its command before the text in the message field. */
export function useMemoryCommands(field: RefObject<HTMLTextAreaElement | null>): void {
  const draft = useChat(chat => chat.draft)
  const setDraft = useChat(chat => chat.setDraft)
  const begin = (name: string) => () => {
    setDraft(`${name} ${draft.startsWith('/') ? '' : draft}`)
    // The palette must close first.
    requestAnimationFrame(() => field.current?.focus())
  }
  const mayBegin = !draft.startsWith('/')
  useActions({
    'chat.remember': mayBegin ? begin('/remember') : undefined,
    'chat.note': mayBegin ? begin('/note') : undefined,
    'chat.forget': mayBegin ? begin('/forget') : undefined,
  })
}
