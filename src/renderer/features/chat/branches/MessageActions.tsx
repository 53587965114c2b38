import { ChevronLeft, ChevronRight, CopyPlus, Pencil, RotateCcw } from 'lucide-react'
import { useEffect, useRef, type ReactNode } from 'react'
import type { Outcome } from '../../../rpc/attempt.ts'
import { useHost } from '../../../rpc/host-context.tsx'
import { goTo } from '../../../route.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { isKey } from '../../../ui/keyboard/keys.ts'
import { Menu, type MenuEntry } from '../../../ui/Menu.tsx'
import { showToast } from '../../../ui/Toasts.tsx'
import { MAX_MESSAGE_CHARS, tooLongText } from '../../../../shared/contract/chats/messages.ts'
import { useChat } from '../store/open-chats.ts'
import { versionedIn, versionsOf } from './chat-branches.ts'

/** Maximum number of models to offer for another answer. */
export const MOST_MODELS = 12

/** Show why something failed. */
export const tellTrouble = (outcome: Outcome<unknown>): void => {
  if (!outcome.ok) showToast(outcome.fault.message, { level: 'error' })
}

/** Give the focus to the message field, unless a dialog asks something. */
export const focusComposer = (): void => {
  if (!document.querySelector('dialog[open]'))
    document.querySelector<HTMLElement>('.composer-field')?.focus({ preventScroll: true })
}

/** The button that edits a message in its place. */
export function EditButton({ messageId, text, label }: { messageId: number; text: string; label: string }) {
  const start = useChat(chat => chat.startEdit)
  return (
    <IconButton small label={label} data-edits={messageId} onClick={() => start(messageId, text)}>
      <Pencil size={16} />
    </IconButton>
  )
}

/** Answers a question again, with this or another model. The current answer stays as a branch. */
export function RetryButton({ messageId }: { messageId: number }): ReactNode {
  const retry = useChat(chat => chat.retry)
  const models = useHost(host => host.models)
  const again = async (modelId?: string) => tellTrouble(await retry(messageId, modelId))
  const usable = models.filter(({ problem }) => problem === null).slice(0, MOST_MODELS)
  const entries: MenuEntry[] = [
    { id: 'same', label: 'With the same model', onSelect: () => void again() },
    ...usable.map(({ id, name }) => ({ id, label: `With ${name}`, onSelect: () => void again(id) })),
  ]
  return (
    <Menu
      label="Answer again"
      entries={entries}
      renderButton={props => (
        <IconButton small label="Answer again" {...props}>
          <RotateCcw size={16} />
        </IconButton>
      )}
    />
  )
}

/** Copies the chat up to an answer into a new chat, and opens that. */
export function CopyChatButton({ messageId }: { messageId: number }): ReactNode {
  const copyUpTo = useChat(chat => chat.copyUpTo)
  const copy = async () => {
    const copied = await copyUpTo(messageId)
    if (copied.ok) goTo({ chatId: copied.value.id })
    else tellTrouble(copied)
  }
  return (
    <IconButton small label="Copy the chat up to here into a new chat" onClick={() => void copy()}>
      <CopyPlus size={16} />
    </IconButton>
  )
}

/** Goes from one version of a message to the next; each has its own continuation. */
export function VersionArrows({ messageId }: { messageId: number }): ReactNode {
  const branches = useChat(chat => chat.branches)
  const switchTo = useChat(chat => chat.switchTo)
  const place = useChat(chat => versionedIn(chat, messageId))
  const versions = place === null ? [] : versionsOf(branches, place)
  const at = versions.findIndex(({ id }) => id === place)
  if (at < 0) return null
  const show = async (step: number) => {
    const next = versions[at + step]
    if (next) tellTrouble(await switchTo(next.id))
  }
  return (
    <span className="inline-flex items-center text-xs text-ink-2 tabular-nums">
      <IconButton small label="Previous version" disabled={at === 0} onClick={() => void show(-1)}>
        <ChevronLeft size={16} className="rtl:rotate-180" />
      </IconButton>
      <span>
        <span className="sr-only">Version </span>
        {at + 1} / {versions.length}
      </span>
      <IconButton
        small
        label="Next version"
        disabled={at === versions.length - 1}
        onClick={() => void show(1)}
      >
        <ChevronRight size={16} className="rtl:rotate-180" />
      </IconButton>
    </span>
  )
}

/** Edits a message in place. Esc discards; Ctrl+Enter saves, like the button. */
export function MessageEditor({ label, action }: { label: string; action: string }): ReactNode {
  const { messageId = 0, text = '' } = useChat(chat => chat.editing) ?? {}
  const start = useChat(chat => chat.startEdit)
  const cancelEdit = useChat(chat => chat.cancelEdit)
  const cancel = () => {
    cancelEdit()
    // The button that started the edit is a new element.
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-edits="${messageId}"]`)?.focus())
  }
  const saveEdit = useChat(chat => chat.saveEdit)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    const end = field.current?.value.length ?? 0
    field.current?.focus()
    field.current?.setSelectionRange(end, end)
  }, [])
  const isTooLong = text.length > MAX_MESSAGE_CHARS
  const cannot = text.trim() === '' || isTooLong
  const save = async () => {
    if (cannot) return
    const saved = await saveEdit()
    tellTrouble(saved)
    if (saved.ok) focusComposer()
  }
  return (
    <div className="grid w-full gap-2 py-2">
      <textarea
        ref={field}
        dir="auto"
        rows={Math.min(14, Math.max(2, text.split('\n').length))}
        value={text}
        aria-label={label}
        className="field max-h-80 resize-y"
        onChange={event => start(messageId, event.target.value)}
        onKeyDown={event => {
          const act = isKey(event, 'mod+enter')
            ? () => void save()
            : isKey(event, 'escape')
              ? cancel
              : undefined
          if (!act) return
          event.preventDefault()
          event.stopPropagation()
          act()
        }}
      />
      {isTooLong && <p className="text-sm text-danger">{tooLongText(text.length)}</p>}
      <div className="flex flex-wrap items-center gap-2">
        <button type="button" className="btn btn-primary" disabled={cannot} onClick={() => void save()}>
          {action}
        </button>
        <button type="button" className="btn btn-secondary" onClick={cancel}>
          Cancel
        </button>
        <span className="text-xs text-ink-3">The current text is kept as a version.</span>
      </div>
    </div>
  )
}
