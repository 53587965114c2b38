import { useId, type ReactNode } from 'react'
import { other, presets } from './presets.ts'

const shown = [...presets.map(({ id, name }) => ({ id, name })), { id: other.id, name: 'Another server' }]

type Props = { value: string; onChange: (id: string) => void }

/** Presets for common servers. Choosing one fills in the form. */
export function PresetChoice({ value, onChange }: Props): ReactNode {
  const name = useId()
  return (
    <fieldset>
      <legend className="mb-1 text-xs font-medium text-ink-2">Which server</legend>
      <div className="flex flex-wrap gap-1.5">
        {shown.map(each => (
          <label
            key={each.id}
            className="inline-flex min-h-7 cursor-pointer items-center rounded-full border border-line px-3 text-sm text-ink-2 hover:bg-hover has-checked:border-accent has-checked:bg-accent-soft has-checked:font-medium has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name={name}
              className="sr-only"
              checked={each.id === value}
              onChange={() => onChange(each.id)}
            />
            {each.name}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
