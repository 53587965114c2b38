import { useState, type ReactNode } from 'react'
import { isKey } from '../../ui/keys.ts'
import { sessionsText } from './strings.ts'

/** A title being changed: Enter or leaving keeps it, Esc takes it back (`null`). */
export function RenameField({
  title,
  onDone,
}: {
  title: string
  onDone: (title: string | null) => void
}): ReactNode {
  const [text, setText] = useState(title)
  const keep = () => onDone(text.trim() === '' || text.trim() === title ? null : text.trim())
  return (
    <input
      type="text"
      dir="auto"
      // The person has just asked to edit it.
      // oxlint-disable-next-line jsx-a11y/no-autofocus
      autoFocus
      value={text}
      maxLength={200}
      aria-label={sessionsText.renameField}
      className="field my-0.5"
      onFocus={event => event.target.select()}
      onChange={event => setText(event.target.value)}
      onBlur={keep}
      onKeyDown={event => {
        event.stopPropagation()
        if (event.nativeEvent.isComposing) return
        if (isKey(event, 'enter')) keep()
        if (!isKey(event, 'escape')) return
        event.preventDefault()
        onDone(null)
      }}
    />
  )
}
