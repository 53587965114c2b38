import { RotateCcw, X } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'
import { Dialog, DialogButtons } from '../../../ui/Dialog.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { Spinner } from '../../../ui/Progress.tsx'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { useChat } from '../store/open-chats.ts'
import type { Arriving } from './chat-attachments.ts'
import { AttachmentSign } from './SentAttachments.tsx'

/** The chip of a file that is being attached, or the reason why it was not. */
export function ArrivingChip({
  arriving: { key, given, problem, isLocked },
  onWritePath,
}: {
  arriving: Arriving
  onWritePath: (path: string) => void
}): ReactNode {
  const again = useChat(chat => chat.attachAgain)
  const forget = useChat(chat => chat.forgetArriving)
  const [isAsking, setAsking] = useState(false)
  const name = showHidden(given.name)
  if (problem === null)
    return (
      <output className="attachment-chip w-full">
        <span className="attachment-sign">
          <Spinner />
        </span>
        <span className="grid min-w-0 flex-1">
          <ChipName name={name} />
          <span className="text-xs text-ink-2">Attaching…</span>
        </span>
      </output>
    )
  return (
    <div className="attachment-chip attachment-chip-failed w-full">
      <AttachmentSign kind="other" />
      <div className="grid min-w-0 flex-1">
        <ChipName name={name} />
        <p role="alert" className="text-xs wrap-anywhere text-danger">
          <span className="sr-only">{`${name} was not attached. `}</span>
          <span className="block first-letter:uppercase">{problem}</span>
        </p>
        {isLocked && (
          <button type="button" className="attachment-use" onClick={() => setAsking(true)}>
            Enter its password
          </button>
        )}
        {given.path !== '' && (
          <button
            type="button"
            className="attachment-use"
            onClick={() => {
              onWritePath(given.path)
              forget(key)
            }}
          >
            Write its path
          </button>
        )}
      </div>
      <span className="flex flex-col">
        <IconButton small label={`Remove ${name}`} onClick={() => forget(key)}>
          <X size={14} />
        </IconButton>
        {!given.isFolder && (
          <IconButton small label={`Attach ${name} again`} onClick={() => void again(key)}>
            <RotateCcw size={14} />
          </IconButton>
        )}
      </span>
      {isAsking && (
        <PasswordDialog
          name={name}
          onGiven={password => void again(key, password)}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}

type PasswordProps = { name: string; onGiven: (password: string) => void; onClose: () => void }

/** Asks for the password of a document, which opens it once and is not kept. */
function PasswordDialog({ name, onGiven, onClose }: PasswordProps) {
  const [password, setPassword] = useState('')
  return (
    <Dialog title={`Password of ${name}`} closeLabel="Close" onClose={onClose}>
      <form
        className="grid gap-3"
        onSubmit={event => {
          event.preventDefault()
          onClose()
          onGiven(password)
        }}
      >
        <TextField
          label="Password"
          type="password"
          dir="ltr"
          maxLength={1_000}
          value={password}
          hint="Talaria uses it once to open the document. It keeps the text, not the password."
          onChange={event => setPassword(event.target.value)}
        />
        <DialogButtons label="Open" disabled={password === ''} onCancel={onClose} />
      </form>
    </Dialog>
  )
}

/** The name of an attachment on its chip. */
export const ChipName = ({ name }: { name: string }): ReactNode => (
  <span dir="auto" title={name} className="truncate text-sm font-medium text-ink">
    {name}
  </span>
)
