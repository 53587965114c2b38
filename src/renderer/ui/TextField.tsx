import { useId, type InputHTMLAttributes, type ReactNode, type Ref } from 'react'

type Props = InputHTMLAttributes<HTMLInputElement> & {
  label: string
  hint?: string
  error?: string | undefined
  ref?: Ref<HTMLInputElement>
}

/** A text input with a label above and an error below. */
export function TextField({ label, hint, error, ...rest }: Props): ReactNode {
  const id = useId()
  const about = `${id}-about`
  const note = error ?? hint
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="text-xs font-medium text-ink-2">
        {label}
      </label>
      <input
        id={id}
        type="text"
        spellCheck={false}
        autoComplete="off"
        dir="auto"
        aria-invalid={error !== undefined}
        aria-describedby={note === undefined ? undefined : about}
        className="field"
        {...rest}
      />
      {note !== undefined && (
        <p
          id={about}
          role={error === undefined ? undefined : 'alert'}
          className={error === undefined ? 'text-xs text-ink-3' : 'text-xs text-danger'}
        >
          {note}
        </p>
      )}
    </div>
  )
}
