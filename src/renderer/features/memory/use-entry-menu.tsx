import { ArrowRight, Copy, Info, PenLine, Sparkles, Trash2 } from 'lucide-react'
import type { MemoryEntry } from '../../../shared/contract/memory.ts'
import { go } from '../../route.ts'
import type { MenuEntry } from '../../ui/Menu.tsx'
import { usePlaceName, usePlaces } from './memory-context.ts'
import { isIn, type Place } from './memory-state.ts'
import { useMemoryActions } from './use-memory-actions.ts'
import { useMakeSkill } from './use-make-skill.ts'

/** The menu of one entry. */
export function useEntryMenu(
  entry: MemoryEntry,
  { onEdit, onRemove }: { onEdit: () => void; onRemove: () => void },
): readonly MenuEntry[] {
  const { move, copy } = useMemoryActions()
  const makeSkill = useMakeSkill()
  const moves = useMoves(
    place => void move([entry.id], place),
    place => isIn(entry, place),
  )
  return [
    { id: 'edit', label: 'Edit', icon: <PenLine size={15} />, onSelect: onEdit },
    {
      id: 'details',
      label: 'Details',
      icon: <Info size={15} />,
      onSelect: () => go({ page: 'memory', entryId: entry.id }),
    },
    ...moves,
    {
      id: 'skill',
      label: 'Make a skill from it',
      icon: <Sparkles size={15} />,
      onSelect: () => void makeSkill(entry),
    },
    { id: 'copy', label: 'Copy', icon: <Copy size={15} />, onSelect: () => void copy(entry.text) },
    { id: 'delete', label: 'Delete', icon: <Trash2 size={15} />, danger: true, onSelect: onRemove },
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
      icon: <ArrowRight size={15} className="rtl:-scale-x-100" />,
      onSelect: () => onMove(place),
    }))
}
