import { Copy, Download, MessageSquarePlus, RefreshCw, RotateCcw, Trash2 } from 'lucide-react'
import type { Skill } from '../../../shared/contract/skills.ts'
import type { MenuEntry } from '../../ui/Menu.tsx'
import { useTry } from './skills-context.ts'
import { skillsText } from './strings.ts'
import { useActions } from './use-actions.ts'

/** What can be done with one skill. `onUpdate` looks for what is new where it came from. */
export function useSkillMenu(skill: Skill, onUpdate: () => void): readonly MenuEntry[] {
  const text = skillsText.menu
  const actions = useActions()
  const onTry = useTry()
  const isOriginal = skill.origin === 'builtin' && !skill.isEdited
  const entries: readonly (MenuEntry | false)[] = [
    onTry !== undefined &&
      skill.blocked === null && {
        id: 'try',
        label: text.try,
        icon: <MessageSquarePlus size={15} />,
        onSelect: () => onTry(skill),
      },
    {
      id: 'export',
      label: text.export,
      icon: <Download size={15} />,
      onSelect: () => void actions.export([skill.id]),
    },
    {
      id: 'duplicate',
      label: text.duplicate,
      icon: <Copy size={15} />,
      onSelect: () => void actions.duplicate(skill),
    },
    skill.source !== null &&
      skill.source.kind !== 'text' && {
        id: 'update',
        label: text.update,
        icon: <RefreshCw size={15} />,
        onSelect: onUpdate,
      },
    skill.isEdited && {
      id: 'reset',
      label: text.reset,
      icon: <RotateCcw size={15} />,
      onSelect: () => void actions.reset(skill.id),
    },
    {
      id: 'delete',
      label: text.delete,
      icon: <Trash2 size={15} />,
      danger: !isOriginal,
      disabled: isOriginal,
      ...(isOriginal ? { hint: text.builtinHint } : {}),
      onSelect: () => void actions.remove([skill.id]),
    },
  ]
  return entries.filter(entry => entry !== false)
}
