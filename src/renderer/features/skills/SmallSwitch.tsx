import { useId, type ReactNode } from 'react'

type Props = { label: string; hint: string; on: boolean; onChange: (on: boolean) => void }

/** A compact switch that explains itself in a tooltip. */
export function SmallSwitch({ label, hint, on, onChange }: Props): ReactNode {
  const id = useId()
  return (
    <span className="flex items-center gap-2" title={hint}>
      <button
        type="button"
        role="switch"
        aria-checked={on}
        aria-labelledby={id}
        aria-describedby={`${id}-hint`}
        className="switch mt-0"
        onClick={() => onChange(!on)}
      />
      <span id={id} className="text-sm">
        {label}
      </span>
      <span id={`${id}-hint`} className="sr-only">
        {hint}
      </span>
    </span>
  )
}
