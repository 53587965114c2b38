import { useState, type ReactNode } from 'react'
import { isKey } from './keys.ts'

type Props = {
  text: string
  label: string
  className: string
  /** Called with the new text, or null for no change. */
  onDone: (text: string | null) => void
}

/** An inline text editor. Enter or blur saves, Esc discards. Key events do not leave the field. */
export function InPlaceField({ text: before, label, className, onDone }: Props): ReactNode {
  const [text, setText] = useState(before)
  const keep = () => onDone(text.trim() === '' || text.trim() === before ? null : text.trim())
  return (
    <input
      type="text"
      dir="auto"
      // The user has just asked to edit it.
      // oxlint-disable-next-line jsx-a11y/no-autofocus
      autoFocus
      value={text}
      maxLength={200}
      aria-label={label}
      className={className}
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
