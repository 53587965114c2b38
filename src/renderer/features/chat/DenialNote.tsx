import { useEffect, useRef, useState, type ReactNode } from 'react'
import { isKey } from '../../ui/keys.ts'
import { TextField } from '../../ui/TextField.tsx'

/** Denies a call with a reason that the model reads. */
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
        label="What should it do instead?"
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
          Deny and send
        </button>
        <button type="button" className="btn btn-quiet" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  )
}
