import { useState, type ReactNode } from 'react'
import { showHidden } from '../../../shared/visible-text/show-hidden.ts'
import { useAnswer } from '../../rpc/use-answer.ts'
import { Segmented } from '../../ui/fields/Choice.tsx'

type Props = {
  /** The names of the only skills; null for all. */
  only: readonly string[] | null
  folder: string | null
  onChange: (only: string[] | null) => void
}

/** The skills for the chats of a project: all, or only some. */
export function ProjectSkills({ only, folder, onChange }: Props): ReactNode {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={event => setOpen(event.currentTarget.open)}>
      <summary className="cursor-pointer text-sm">
        {only === null ? 'Skills: all' : `Skills: ${only.length} chosen`}
      </summary>
      {isOpen && (
        <div className="grid gap-3 pt-3">
          <Segmented
            label="Skills for its chats"
            options={[
              { value: 'all', label: 'All skills' },
              { value: 'some', label: 'Only these' },
            ]}
            value={only === null ? 'all' : 'some'}
            onChange={value => onChange(value === 'all' ? null : [])}
          />
          {only !== null && <Names only={only} folder={folder} onChange={onChange} />}
        </div>
      )}
    </details>
  )
}

function Names({ only, folder, onChange }: Props & { only: readonly string[] }) {
  const answer = useAnswer('skills.forChat', folder === null ? {} : { folder })
  const known = answer?.ok ? answer.value.skills.map(({ name }) => name) : []
  // A skill that no longer exists, or is not in this folder, can still be removed.
  const names = [...new Set([...only, ...known])].toSorted()
  if (answer && names.length === 0) return <p className="text-xs text-ink-3">There are no skills.</p>
  return (
    <ul aria-label="Skills" className="grid max-h-64 gap-1 overflow-y-auto sm:grid-cols-2">
      {names.map(name => (
        <li key={name}>
          <label className="flex items-center gap-2 text-sm">
            <input
              type="checkbox"
              checked={only.includes(name)}
              onChange={event =>
                onChange(event.target.checked ? [...only, name] : only.filter(each => each !== name))
              }
            />
            <span className="truncate">{showHidden(name)}</span>
          </label>
        </li>
      ))}
    </ul>
  )
}
