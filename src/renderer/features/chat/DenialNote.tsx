import { useEffect, useRef, useState, type ReactNode } from 'react'
import { isKey } from '../../ui/keys.ts'
import { TextField } from '../../ui/TextField.tsx'
import { chatText } from './strings.ts'

/** Say no and say why; the model reads the reason. */
export function DenialNote({
  onSend,
  onCancel,
}: {
  onSend: (note: string) => void
  onCancel: () => void
}): ReactNode {
  const [note, setNote] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  return (
    <form
      className="grid gap-2"
      onSubmit={event => {
        event.preventDefault()
        onSend(note.trim())
      }}
    >
      <TextField
        ref={field}
        label={chatText.approval.whyLabel}
        value={note}
        maxLength={2_000}
        spellCheck
        onChange={event => setNote(event.target.value)}
        onKeyDown={event => {
          if (!isKey(event, 'escape')) return
          event.preventDefault()
          onCancel()
        }}
      />
      <div className="flex gap-2">
        <button type="submit" className="btn btn-secondary">
          {chatText.approval.sendDenial}
        </button>
        <button type="button" className="btn btn-quiet" onClick={onCancel}>
          {chatText.approval.cancel}
        </button>
      </div>
    </form>
  )
}
