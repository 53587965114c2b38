import { Folder } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { ChooseButton, RevealButton } from '../../desktop.tsx'
import { Popover } from '../../ui/Popover.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useChat, useWorkspace } from './chats.ts'

const folderLabel = 'Folder that this chat works in'

/** The folder of this chat, and the control to change it. */
export function WorkspaceButton(): ReactNode {
  const workspace = useWorkspace()
  const label = `Working folder: ${workspace}`
  return (
    <Popover
      label={folderLabel}
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
  const save = async (path = folder.trim()) => {
    const changed = await change({ workspace: path })
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
        label={folderLabel}
        hint="Tools read and write here. Give a full path, or one that starts with ~."
        error={error}
        value={folder}
        dir="ltr"
        className="field font-mono text-xs"
        // The user has just asked to change it.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        onChange={event => {
          setFolder(event.target.value)
          setError(undefined)
        }}
      />
      <div className="flex flex-wrap items-center gap-2">
        <button type="submit" className="btn btn-primary" disabled={folder.trim() === ''}>
          Use this folder
        </button>
        <ChooseButton
          what="folder"
          label="Choose…"
          at={workspace}
          onChosen={path => {
            setFolder(path)
            void save(path)
          }}
        />
        <RevealButton path={workspace} name="the folder of this chat" />
      </div>
    </form>
  )
}

/** The last folder of a path, with its parent when both fit. */
function shortPath(path: string): string {
  const parts = path.split(/[/\\]/u).filter(part => part !== '')
  const end = parts.slice(-2).join('/')
  return end.length <= 28 ? end || path : (parts.at(-1) ?? path)
}
