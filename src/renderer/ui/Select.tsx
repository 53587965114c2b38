import { useId, type ReactNode } from 'react'
import { cx } from './cx.ts'

type Props<T extends string> = {
  label: string
  showLabel?: boolean
  value: T
  options: readonly { value: T; label: string }[]
  onChange: (value: T) => void
  className?: string
}

/** A native select. */
export function Select<T extends string>(props: Props<T>): ReactNode {
  const { label, showLabel = false, value, options, onChange, className } = props
  const id = useId()
  return (
    <div className={className}>
      <label htmlFor={id} className={showLabel ? 'mb-1 block text-xs font-medium text-ink-2' : 'sr-only'}>
        {label}
      </label>
      <select
        id={id}
        value={value}
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
