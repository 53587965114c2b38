import { useId, type ReactNode } from 'react'

type Props<T extends string> = {
  label: string
  options: readonly { value: T; label: string }[]
  value: T
  onChange: (value: T) => void
  /** Whether the label is visible, or only read by screen readers. */
  showLabel?: boolean
}

/** A segmented control built on radio buttons, for arrow keys and screen reader support. */
export function Segmented<T extends string>(props: Props<T>): ReactNode {
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
