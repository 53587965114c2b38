import { useId, type ReactNode } from 'react'

type Props = { label: string; hint: string; on: boolean; onChange: (on: boolean) => void }

/** A switch that applies at once, with an explanation below. */
export function Switch({ label, hint, on, onChange }: Props): ReactNode {
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
      </div>
    </div>
  )
}
