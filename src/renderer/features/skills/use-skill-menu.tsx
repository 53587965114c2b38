import { Copy, Download, MessageSquarePlus, RefreshCw, RotateCcw, Trash2 } from 'lucide-react'
import type { Skill } from '../../../shared/contract/skills.ts'
import type { MenuEntry } from '../../ui/Menu.tsx'
import { useTry } from './skills-context.ts'
import { useSkillActions } from './use-skill-actions.ts'

/** Menu of one skill. `onUpdate` checks its source for updates. */
export function useSkillMenu(skill: Skill, onUpdate: () => void): readonly MenuEntry[] {
  const actions = useSkillActions()
  const onTry = useTry()
  const isOriginal = skill.origin === 'builtin' && !skill.isEdited
  const entries: readonly (MenuEntry | false)[] = [
    onTry !== undefined &&
      skill.blocked === null && {
        id: 'try',
        label: 'Try it in a new chat',
        icon: <MessageSquarePlus size={15} />,
        onSelect: () => onTry(skill),
      },
    {
      id: 'export',
      label: 'Export as zip',
      icon: <Download size={15} />,
      onSelect: () => void actions.export([skill.id]),
    },
    {
      id: 'duplicate',
      label: 'Duplicate',
      icon: <Copy size={15} />,
      onSelect: () => void actions.duplicate(skill),
    },
    skill.source !== null &&
      skill.source.kind !== 'text' && {
        id: 'update',
        label: 'Check for updates',
        icon: <RefreshCw size={15} />,
        onSelect: onUpdate,
      },
    skill.isEdited && {
      id: 'reset',
      label: 'Reset to original',
      icon: <RotateCcw size={15} />,
      onSelect: () => void actions.reset(skill.id),
    },
    {
      id: 'delete',
      label: 'Delete',
      icon: <Trash2 size={15} />,
      danger: !isOriginal,
      disabled: isOriginal,
      ...(isOriginal ? { hint: 'It came with Talaria. Switch it off instead.' } : {}),
      onSelect: () => void actions.remove([skill.id]),
    },
  ]
  return entries.filter(entry => entry !== false)
}
