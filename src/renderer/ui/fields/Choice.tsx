import { useId, type ReactNode } from 'react'
import { cx } from '../style.ts'

type Props<T extends string> = {
  label: string
  showLabel?: boolean
  value: T
  options: readonly { value: T; label: string }[]
  onChange: (value: T) => void
  className?: string
  /** The id of the element that describes it. */
  describedBy?: string
}

/** A native select. */
export function Select<T extends string>(props: Props<T>): ReactNode {
  const { label, showLabel = false, value, options, onChange, className, describedBy } = props
  const id = useId()
  return (
    <div className={className}>
      <label htmlFor={id} className={showLabel ? 'mb-1 block text-xs font-medium text-ink-2' : 'sr-only'}>
        {label}
      </label>
      <select
        id={id}
        value={value}
        aria-describedby={describedBy}
        className={cx('field', 'select')}
        onChange={event => {
          const chosen = options.find(option => option.value === event.target.value)
          if (chosen) onChange(chosen.value)
        }}
      >
        {options.map(option => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  )
}

type SegmentedProps<T extends string> = {
  label: string
  options: readonly { value: T; label: string }[]
  value: T
  onChange: (value: T) => void
  /** Whether the label is visible, or only read by screen readers. */
  showLabel?: boolean
}

/** A segmented control built on radio buttons, for arrow keys and screen reader support. */
export function Segmented<T extends string>(props: SegmentedProps<T>): ReactNode {
  const { label, options, value, onChange, showLabel = false } = props
  const name = useId()
  return (
    <fieldset>
      <legend className={showLabel ? 'mb-1.5 text-sm font-semibold' : 'sr-only'}>{label}</legend>
      <div className="flex gap-1 rounded-xl bg-hover p-1">
        {options.map(option => (
          <label key={option.value} className="segment">
            <input
              type="radio"
              name={name}
              className="sr-only"
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

type RadiosProps<T extends string> = {
  label: string
  /** A text shown once, before the choices. */
  about?: string
  options: readonly { value: T; label: string; hint: string; disabled?: boolean }[]
  value: T
  onChange: (value: T) => void
}

/** Stacked choices, each with an explanation. */
export function Radios<T extends string>({
  label,
  about,
  options,
  value,
  onChange,
}: RadiosProps<T>): ReactNode {
  const name = useId()
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-semibold">{label}</legend>
      {about !== undefined && <p className="-mt-1 mb-2 text-xs text-ink-2">{about}</p>}
      <div className="grid gap-2">
        {options.map(option => (
          <label key={option.value} className="radio-choice">
            <input
              type="radio"
              name={name}
              className="check mt-1"
              checked={option.value === value}
              disabled={option.disabled}
              aria-describedby={`${name}-${option.value}`}
              aria-label={option.label}
              onChange={() => onChange(option.value)}
            />
            <span className="min-w-0">
              <span className="block text-sm font-medium">{option.label}</span>
              <span id={`${name}-${option.value}`} className="block text-xs break-words text-ink-2">
                {option.hint}
              </span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

type SwitchProps = {
  label: string
  hint: string
  on: boolean
  onChange: (on: boolean) => void
  /** Shown below the explanation. */
  children?: ReactNode
}

/** A switch that applies at once, with an explanation below. */
export function Switch({ label, hint, on, onChange, children }: SwitchProps): ReactNode {
  const id = useId()
  return (
    <div className="flex items-start gap-3">
      <button
        type="button"
        role="switch"
        aria-checked={on}
        aria-labelledby={id}
        aria-describedby={`${id}-hint`}
        className="switch"
        onClick={() => onChange(!on)}
      />
      <div className="min-w-0">
        <p id={id} className="text-sm font-medium">
          {label}
        </p>
        <p id={`${id}-hint`} className="text-xs text-ink-3">
          {hint}
        </p>
        {children}
      </div>
    </div>
  )
}
