import { Download, Power, PowerOff, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon, IconButton } from '../../ui/IconButton.tsx'
import { useSkills } from './skills-context.ts'
import { useSkillActions } from './use-skill-actions.ts'

/** Actions on all selected skills. */
export function SkillBulkBar(): ReactNode {
  const selected = useSkills(skills => skills.selected)
  const select = useSkills(skills => skills.select)
  const actions = useSkillActions()
  const ids = [...selected]
  if (ids.length === 0) return null
  return (
    <div role="toolbar" aria-label="Selected skills" className="skill-bulk">
      <output className="px-1 text-sm font-medium">{ids.length} selected</output>
      <button type="button" className="btn btn-quiet" onClick={() => void actions.setEnabled(ids, true)}>
        <Power size={15} />
        On
      </button>
      <button type="button" className="btn btn-quiet" onClick={() => void actions.setEnabled(ids, false)}>
        <PowerOff size={15} />
        Off
      </button>
      <button type="button" className="btn btn-quiet" onClick={() => void actions.export(ids)}>
        <Download size={15} />
        Export
      </button>
      <button type="button" className="btn btn-quiet" onClick={() => void actions.remove(ids)}>
        <Trash2 size={15} />
        Delete
      </button>
      <IconButton small label="Clear the selection" onClick={() => select(ids, false)}>
        <Icon name="close" size={14} />
      </IconButton>
    </div>
  )
}
