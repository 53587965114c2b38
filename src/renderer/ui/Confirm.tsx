import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { isKey } from './keys.ts'

type Props = {
  label: string
  /** The name of the button, when the label alone is ambiguous. */
  name?: string
  /** The question that replaces the button. */
  question: string
  danger?: boolean
  onYes: () => void
}

/** A button with an inline confirmation; Esc cancels it. */
export function Confirm({ label, name, question, danger = false, onYes }: Props): ReactNode {
  const [isAsking, setAsking] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const leave = () => {
    setAsking(false)
    requestAnimationFrame(() => button.current?.focus())
  }
  if (!isAsking)
    return (
      <button
        ref={button}
        type="button"
        aria-label={name}
        className="btn btn-quiet"
        onClick={() => setAsking(true)}
      >
        {label}
      </button>
    )
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isKey(event, 'escape')) return
    event.preventDefault()
    leave()
  }
  return (
    <div role="presentation" className="contents" onKeyDown={onKeyDown}>
      <fieldset className="ask-line">
        <legend className="sr-only">{question}</legend>
        <span aria-hidden="true" className="text-sm">
          {question}
        </span>
        <button
          type="button"
          // The user has just pressed the button that this replaces.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          className={danger ? 'btn btn-danger' : 'btn btn-primary'}
          onClick={() => {
            setAsking(false)
            onYes()
          }}
        >
          {label}
        </button>
        <button type="button" className="btn btn-secondary" onClick={leave}>
          Cancel
        </button>
      </fieldset>
    </div>
  )
}
