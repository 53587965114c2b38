import { Import, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { go } from '../../route.ts'
import { SmallSwitch } from './SmallSwitch.tsx'
import { useSkills } from './skills-context.ts'
import { skillsText } from './strings.ts'
import { useActions } from './use-actions.ts'

type Props = {
  /** Stands at the start of the header. */
  start?: ReactNode
  onImport: () => void
}

/** The name of the page, what brings new skills, and what holds for skills in all chats. */
export function Header({ start, onImport }: Props): ReactNode {
  return (
    <header>
      <div className="chat-header">
        {start}
        <h1 className="min-w-0 flex-1 truncate px-2 text-sm font-semibold">{skillsText.title}</h1>
        <button type="button" className="btn btn-quiet" onClick={onImport}>
          <Import size={16} />
          {skillsText.import}
        </button>
        <button
          type="button"
          className="btn btn-secondary"
          onClick={() => go({ page: 'skills', tab: 'new' })}
        >
          <Plus size={16} />
          {skillsText.create}
        </button>
      </div>
      <Switches />
    </header>
  )
}

function Switches() {
  const useInChats = useSkills(skills => skills.library?.useInChats)
  const learnFromChats = useSkills(skills => skills.library?.learnFromChats)
  const { setSwitches } = useActions()
  if (useInChats === undefined || learnFromChats === undefined) return null
  const text = skillsText.switches
  return (
    <fieldset className="skill-switches">
      <legend className="sr-only">{text.group}</legend>
      <SmallSwitch
        label={text.inChats}
        hint={text.inChatsHint[useInChats ? 'on' : 'off']}
        on={useInChats}
        onChange={useInChats => void setSwitches({ useInChats })}
      />
      <SmallSwitch
        label={text.learn}
        hint={text.learnHint[learnFromChats ? 'on' : 'off']}
        on={learnFromChats}
        onChange={learnFromChats => void setSwitches({ learnFromChats })}
      />
    </fieldset>
  )
}
