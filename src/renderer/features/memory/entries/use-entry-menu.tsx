import { ArrowRight, Copy, Eraser, Info, PenLine, Sparkles, Trash2 } from 'lucide-react'
import type { MemoryEntry } from '../../../../shared/contract/learned/memory.ts'
import { goTo } from '../../../route.ts'
import type { MenuEntry } from '../../../ui/Menu.tsx'
import { useAnswers } from '../../../rpc/host-context.tsx'
import { showToast } from '../../../ui/Toasts.tsx'
import { usePlaceName, usePlaces, useMemoryActions, useView } from '../use-memory.ts'
import { isIn, type Place } from '../memory-state.ts'

/** The menu of one entry. */
export function useEntryMenu(
  entry: MemoryEntry,
  { onEdit, onRemove, onForget }: { onEdit: () => void; onRemove: () => void; onForget: () => void },
): readonly MenuEntry[] {
  const { move, copy } = useMemoryActions()
  const makeSkill = useMakeSkill()
  const moves = useMoves(
    place => void move([entry.id], place),
    place => isIn(entry, place),
  )
  return [
    { id: 'edit', label: 'Edit', icon: <PenLine size={16} />, onSelect: onEdit },
    {
      id: 'details',
      label: 'Details',
      icon: <Info size={16} />,
      onSelect: () => goTo({ page: 'memory', entryId: entry.id }),
    },
    ...moves,
    {
      id: 'skill',
      label: 'Make it a skill',
      icon: <Sparkles size={16} />,
      onSelect: () => void makeSkill(entry),
    },
    { id: 'copy', label: 'Copy', icon: <Copy size={16} />, onSelect: () => void copy(entry.text) },
    { id: 'delete', label: 'Archive', icon: <Trash2 size={16} />, danger: true, onSelect: onRemove },
    {
      id: 'forget',
      label: 'Forget for good…',
      icon: <Eraser size={16} />,
      danger: true,
      onSelect: onForget,
    },
  ]
}

/** The places an entry can be moved to, except those in `skip`. */
export function useMoves(
  onMove: (place: Place) => void,
  skip: (place: Place) => boolean = () => false,
): readonly MenuEntry[] {
  const places = usePlaces()
  const placeName = usePlaceName()
  return places
    .filter(place => !skip(place))
    .map(place => ({
      id: `move ${place.target} ${place.project}`,
      label: `Move to ${placeName(place)}`,
      icon: <ArrowRight size={16} className="rtl:-scale-x-100" />,
      onSelect: () => onMove(place),
    }))
}

/** Opens a new chat in the entry's project, with an unsent request to turn the entry into a skill. */
function useMakeSkill(): (entry: MemoryEntry) => Promise<void> {
  const { ask } = useAnswers()
  const projects = useView()?.projects

  return async ({ text, project }) => {
    const folder = projects?.find(each => each.id === project)?.folder
    const made = await ask('session.create', folder ? { workspace: folder } : {})
    if (!made.ok) return showToast(made.fault.message, { level: 'error' })
    const { id } = made.value
    const kept = await ask('session.update', {
      id,
      draft: `Make a skill of this note: “${text.trim()}”. Write down when to use it and the steps, and ask me what is missing.`,
    })
    if (!kept.ok) showToast(kept.fault.message, { level: 'error' })
    goTo({ chatId: id })
  }
}
