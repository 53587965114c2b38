import { Import, Plus } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { goTo } from '../../route.ts'
import { useLibrary, useSkillActions } from './use-skills.ts'

const LEARN_HINTS = {
  on: 'The agent may save how it did something as a skill. It asks before it creates or deletes a skill, except with full access.',
  off: 'The agent does not write or change skills.',
} as const

const IN_CHATS_HINTS = {
  on: 'New chats see which skills are available.',
  off: 'New chats do not see any skills.',
} as const

type Props = {
  /** Shown at the start of the header. */
  start?: ReactNode
  onImport: () => void
}

/** The page title, and the buttons that add skills. */
export function SkillsHeader({ start, onImport }: Props): ReactNode {
  return (
    <header>
      <div className="chat-header">
        {start}
        <h1 className="min-w-0 flex-1 truncate px-2 text-sm font-semibold">Skills</h1>
        <button type="button" className="btn btn-quiet" onClick={onImport}>
          <Import size={16} />
          Import…
        </button>
        <button
          type="button"
          className="btn btn-secondary"
          onClick={() => goTo({ page: 'skills', tab: 'new' })}
        >
          <Plus size={16} />
          New skill
        </button>
      </div>
    </header>
  )
}

/** The switches below the list: whether chats use skills, and whether the agent writes them. */
export function SkillSwitches(): ReactNode {
  const useInChats = useLibrary()?.useInChats
  const learnFromChats = useLibrary()?.learnFromChats
  const { setSwitches } = useSkillActions()
  if (useInChats === undefined || learnFromChats === undefined) return null
  return (
    <fieldset className="skill-switches">
      <legend className="sr-only">Skills in all chats</legend>
      <SmallSwitch
        label="Use skills in chats"
        hint={IN_CHATS_HINTS[useInChats ? 'on' : 'off']}
        on={useInChats}
        onChange={useInChats => void setSwitches({ useInChats })}
      />
      <SmallSwitch
        label="Let the agent write skills"
        hint={LEARN_HINTS[learnFromChats ? 'on' : 'off']}
        on={learnFromChats}
        onChange={learnFromChats => void setSwitches({ learnFromChats })}
      />
    </fieldset>
  )
}

type SmallSwitchProps = { label: string; hint: string; on: boolean; onChange: (on: boolean) => void }

/** A compact switch that explains itself in a tooltip. */
export function SmallSwitch({ label, hint, on, onChange }: SmallSwitchProps): ReactNode {
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
