import { useState, type ReactNode } from 'react'
import { many } from '../../../shared/text/amounts.ts'
import { showHidden } from '../../../shared/visible-text/show-hidden.ts'
import { useAnswer } from '../../rpc/use-answer.ts'

type Props = {
  /** The ids of the chosen skills. */
  chosen: readonly string[]
  /** The folder of the schedule; empty for the usual one. */
  folder: string
  onChange: (chosen: string[]) => void
}

/** The skills that the agent is told to use each time. */
export function ScheduleSkills({ chosen, folder, onChange }: Props): ReactNode {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={event => setOpen(event.currentTarget.open)}>
      <summary className="cursor-pointer text-sm">
        {chosen.length === 0 ? 'Skills: as the task needs' : many(chosen.length, 'skill')}
      </summary>
      {isOpen && <Names chosen={chosen} folder={folder} onChange={onChange} />}
    </details>
  )
}

function Names({ chosen, folder, onChange }: Props) {
  const answer = useAnswer('skills.forChat', folder === '' ? {} : { folder })
  const known = answer?.ok ? answer.value.skills.map(({ id, name }) => ({ id, name })) : []
  // A skill that no longer exists can still be removed.
  const gone = chosen.filter(id => !known.some(each => each.id === id)).map(id => ({ id, name: id }))
  const skills = [...known, ...gone].toSorted((a, b) => (a.name < b.name ? -1 : 1))
  if (answer && skills.length === 0) return <p className="pt-2 text-xs text-ink-3">There are no skills.</p>
  return (
    <ul aria-label="Skills" className="grid max-h-64 gap-1 overflow-y-auto pt-2 sm:grid-cols-2">
      {skills.map(({ id, name }) => (
        <li key={id}>
          <label className="flex items-center gap-2 text-sm">
            <input
              type="checkbox"
              className="check"
              checked={chosen.includes(id)}
              onChange={event =>
                onChange(event.target.checked ? [...chosen, id] : chosen.filter(each => each !== id))
              }
            />
            <span className="truncate">{showHidden(name)}</span>
          </label>
        </li>
      ))}
    </ul>
  )
}
