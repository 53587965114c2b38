import { Download, Power, PowerOff, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { useSkills } from './skills-context.ts'
import { skillsText } from './strings.ts'
import { useActions } from './use-actions.ts'

/** What can be done with all selected skills at once. */
export function BulkBar(): ReactNode {
  const selected = useSkills(skills => skills.selected)
  const select = useSkills(skills => skills.select)
  const actions = useActions()
  const ids = [...selected]
  if (ids.length === 0) return null
  const text = skillsText.bulk
  return (
    <div role="toolbar" aria-label={text.bar} className="skill-bulk">
      <output className="px-1 text-sm font-medium">{text.selected(ids.length)}</output>
      <button type="button" className="btn btn-quiet" onClick={() => void actions.setEnabled(ids, true)}>
        <Power size={15} />
        {text.on}
      </button>
      <button type="button" className="btn btn-quiet" onClick={() => void actions.setEnabled(ids, false)}>
        <PowerOff size={15} />
        {text.off}
      </button>
      <button type="button" className="btn btn-quiet" onClick={() => void actions.export(ids)}>
        <Download size={15} />
        {text.export}
      </button>
      <button type="button" className="btn btn-quiet" onClick={() => void actions.remove(ids)}>
        <Trash2 size={15} />
        {text.delete}
      </button>
      <IconButton small label={text.clear} onClick={() => select(ids, false)}>
        <Icon name="close" size={14} />
      </IconButton>
    </div>
  )
}
