import { useState, type ReactNode } from 'react'
import { InPlaceField } from '../../ui/TextField.tsx'
import { showToast } from '../../ui/toasts.ts'
import { useChat } from './chats.ts'
import { useSession } from './use-session.ts'

/** The title of the chat. A click edits it, Enter saves, Esc cancels. */
export function ChatTitle(): ReactNode {
  const session = useSession()
  const [editing, setEditing] = useState(false)
  const title = session?.title || 'New chat'
  if (session && editing) return <TitleField title={session.title} onDone={() => setEditing(false)} />
  return (
    <h1 className="min-w-0">
      {session ? (
        <button type="button" title="Rename this chat" className="title-btn" onClick={() => setEditing(true)}>
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
  const save = async (changed: string | null) => {
    onDone()
    if (changed === null) return
    const saved = await change({ title: changed })
    if (!saved.ok) showToast(saved.fault.message, { level: 'error' })
  }
  return (
    <InPlaceField
      text={title}
      label="Title of the chat"
      className="field max-w-md font-semibold"
      onDone={changed => void save(changed)}
    />
  )
}
