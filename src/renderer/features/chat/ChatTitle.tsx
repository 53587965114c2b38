import { useState, type ReactNode } from 'react'
import { isKey } from '../../ui/keys.ts'
import { showToast } from '../../ui/toasts.ts'
import { useChat } from './chats.ts'
import { useSession } from './session.ts'
import { chatText } from './strings.ts'

/** The title of the chat; a click makes it a field, Enter keeps it, Esc takes it back. */
export function ChatTitle(): ReactNode {
  const session = useSession()
  const [editing, setEditing] = useState(false)
  const title = session?.title || chatText.newChat
  if (session && editing) return <TitleField title={session.title} onDone={() => setEditing(false)} />
  return (
    <h1 className="min-w-0">
      {session ? (
        <button type="button" title={chatText.rename} className="title-btn" onClick={() => setEditing(true)}>
          <span dir="auto" className="truncate">
            {title}
          </span>
        </button>
      ) : (
        <span className="block truncate px-2 text-sm font-semibold">{title}</span>
      )}
    </h1>
  )
}

function TitleField({ title, onDone }: { title: string; onDone: () => void }) {
  const change = useChat(chat => chat.change)
  const [text, setText] = useState(title)
  const save = async () => {
    onDone()
    if (text.trim() === '' || text.trim() === title) return
    const changed = await change({ title: text.trim() })
    if (!changed.ok) showToast(changed.fault.message, { level: 'error' })
  }
  return (
    <input
      type="text"
      dir="auto"
      // The person has just asked to edit it.
      // oxlint-disable-next-line jsx-a11y/no-autofocus
      autoFocus
      value={text}
      maxLength={200}
      aria-label={chatText.titleField}
      className="field max-w-md font-semibold"
      onFocus={event => event.target.select()}
      onChange={event => setText(event.target.value)}
      onBlur={() => void save()}
      onKeyDown={event => {
        if (event.nativeEvent.isComposing) return
        if (isKey(event, 'enter')) void save()
        if (!isKey(event, 'escape')) return
        event.preventDefault()
        onDone()
      }}
    />
  )
}
