import { Folder } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Popover } from '../../ui/Popover.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useChat } from './chats.ts'
import { useWorkspace } from './session.ts'
import { chatText } from './strings.ts'

/** The folder that this chat works in, and where to change it. */
export function WorkspaceButton(): ReactNode {
  const workspace = useWorkspace()
  const label = chatText.workspace.button(workspace)
  return (
    <Popover
      label={chatText.workspace.label}
      side="above"
      className="w-96 max-w-[calc(100vw-1rem)] p-3"
      renderButton={props => (
        <button
          type="button"
          aria-label={label}
          title={label}
          className="btn btn-quiet min-w-0 px-2"
          {...props}
        >
          <Folder size={15} className="shrink-0" />
          <bdi className="truncate text-xs font-normal">{shortPath(workspace)}</bdi>
        </button>
      )}
    >
      {close => <Form workspace={workspace} close={close} />}
    </Popover>
  )
}

function Form({ workspace, close }: { workspace: string; close: () => void }) {
  const change = useChat(chat => chat.change)
  const [folder, setFolder] = useState(workspace)
  const [error, setError] = useState<string>()
  const save = async () => {
    const changed = await change({ workspace: folder.trim() })
    if (changed.ok) close()
    else setError(changed.fault.message)
  }
  return (
    <form
      className="grid gap-3"
      onSubmit={event => {
        event.preventDefault()
        void save()
      }}
    >
      <TextField
        label={chatText.workspace.label}
        hint={chatText.workspace.hint}
        error={error}
        value={folder}
        dir="ltr"
        className="field font-mono text-xs"
        // The person has just asked to change it.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        onChange={event => {
          setFolder(event.target.value)
          setError(undefined)
        }}
      />
      <button type="submit" className="btn btn-primary justify-self-start" disabled={folder.trim() === ''}>
        {chatText.workspace.save}
      </button>
    </form>
  )
}

/** The last folder, with the one above it when there is room for both. */
function shortPath(path: string): string {
  const parts = path.split(/[/\\]/u).filter(part => part !== '')
  const end = parts.slice(-2).join('/')
  return end.length <= 28 ? end || path : (parts.at(-1) ?? path)
}
